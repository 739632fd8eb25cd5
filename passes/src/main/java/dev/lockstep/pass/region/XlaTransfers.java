package dev.lockstep.pass.region;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.ProcessGroups;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.List;
import java.util.OptionalLong;

/**
 * XLA's own send and receive. Ids of pairs are partitions where there are several, else replicas;
 * without pairs any partner on the channel will do.
 */
final class XlaTransfers extends SiteMeaning {
  private static final String FRONTEND_PAIRS = "_xla_send_recv_source_target_pairs";

  private final Module module;
  private final Operation operation;

  XlaTransfers(Module module, Operation operation) {
    this.module = module;
    this.operation = operation;
  }

  @Override
  String name() {
    return operation.def().nameIn(module.syntax());
  }

  @Override
  boolean isTransfer() {
    return true;
  }

  @Override
  ProcessGroups groups(DeviceGrid grid) {
    throw new IllegalStateException("messages have no groups");
  }

  @Override
  CollectiveSignature signature(ImmutableIntArray group, int index) {
    throw new IllegalStateException("messages have no signature");
  }

  @Override
  ImmutableList<Transfer> transfers(DeviceGrid grid, int rank) {
    boolean isSend = operation.def().semantics() == Semantics.Control.SEND;
    OptionalLong channel = Collectives.channel(operation);
    int peer = Transfer.ANYBODY;
    boolean hasPairs =
        Collectives.PAIRS.find(operation) != null
            || Collectives.frontendAttribute(operation, FRONTEND_PAIRS) != null;
    if (hasPairs) {
      peer = peer(grid, rank, isSend);
      if (peer < 0) {
        return ImmutableList.of();
      }
    }
    List<Type> carried = isSend ? operation.operandTypes() : operation.resultTypes();
    if (!isSend && carried.size() == 1 && carried.get(0) instanceof TupleType) {
      // What HLO's recv starts: the data, a context number, a token.
      carried = ((TupleType) carried.get(0)).elements().subList(0, 1);
    }
    return ImmutableList.of(
        new Transfer(
            isSend, rank, peer, ImmutableIntArray.of(), channel.orElse(0), plain(carried)));
  }

  private int peer(DeviceGrid grid, int rank, boolean isSend) {
    for (ImmutableLongArray pair : Collectives.pairs(operation)) {
      int source = device(pair.get(0), grid, rank);
      int target = device(pair.get(1), grid, rank);
      if ((isSend ? source : target) == rank) {
        return isSend ? target : source;
      }
    }
    return -1;
  }

  private int device(long id, DeviceGrid grid, int near) {
    boolean partitions = grid.partitions() > 1;
    int limit = partitions ? grid.partitions() : grid.replicas();
    if (id < 0 || id >= limit) {
      throw DiagnosticException.error(
          "collective-groups",
          name() + ": pair id " + id + " is out of range, have " + limit,
          operation.location());
    }
    return partitions ? grid.device(grid.replica(near), (int) id) : grid.device((int) id, 0);
  }

  /** Returns whether {@code operation} gives a tuple that a done operation waits for. */
  static boolean isStart(Operation operation) {
    return operation.results().size() == 1 && operation.result().type() instanceof TupleType;
  }
}
