package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.op.collective.Recv;
import dev.lockstep.hlo.op.collective.RecvDone;
import dev.lockstep.hlo.op.collective.Send;
import dev.lockstep.hlo.op.collective.SendDone;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One of XLA's own sends or receives between devices.
 *
 * @param rank in whose program it stands
 * @param operation the send or receive
 * @param done HLO's send-done or recv-done; null in StableHLO
 */
record TransferEnd(int rank, Operation operation, @Nullable Operation done) {
  /** Returns those that the entry of the program of {@code rank} leads to, in program order. */
  static List<TransferEnd> in(int rank, Module module) {
    List<TransferEnd> out = new ArrayList<>();
    ImmutableSet<String> reached = Reach.functions(module);
    for (Function function : module.functions()) {
      if (!function.isDeclaration() && reached.contains(function.name())) {
        collect(rank, module, function.operation().regions(), out);
      }
    }
    return out;
  }

  private static void collect(
      int rank, Module module, ImmutableList<Region> regions, List<TransferEnd> out) {
    for (Region region : regions) {
      for (Block block : region.blocks()) {
        for (Operation operation : block.operations()) {
          if (is(operation)) {
            out.add(new TransferEnd(rank, operation, done(operation, block, module)));
          }
          collect(rank, module, operation.regions(), out);
        }
      }
    }
  }

  /** Returns whether {@code module} has any, reached or not. */
  static boolean isIn(Module module) {
    return module.operations().stream().anyMatch(top -> top.anyMatch(TransferEnd::is));
  }

  private static boolean is(Operation operation) {
    return (operation.is(Send.DEF) || operation.is(Recv.DEF)) && !isOfHost(operation);
  }

  /** Returns whether the other end of {@code operation} is the host. */
  static boolean isOfHost(Operation operation) {
    return Send.IS_HOST_TRANSFER.getOr(operation, false);
  }

  private static @Nullable Operation done(Operation start, Block block, Module module) {
    if (module.syntax() != Syntax.HLO) {
      return null;
    }
    for (Operation operation : block.operations()) {
      if ((operation.is(SendDone.DEF) || operation.is(RecvDone.DEF))
          && operation.operands().contains(start.result())) {
        return operation;
      }
    }
    throw DiagnosticException.error(
        "p2p-straddles",
        "it is not waited for in its own computation, as pipelined loops do; such transfers are"
            + " matched only when start and done stand together",
        start.location());
  }

  /** Returns whether it sends. */
  boolean isSend() {
    return operation.is(Send.DEF);
  }

  /** Returns the channel, 0 when there is none. */
  long channel() {
    return Collectives.CHANNEL.getOr(operation, 0L);
  }

  /** Returns who sends to whom, where it says so; else nothing. */
  ImmutableList<ImmutableLongArray> pairs() {
    return Collectives.pairs(operation);
  }

  /** Returns where it stands. */
  Location location() {
    return operation.location();
  }
}
