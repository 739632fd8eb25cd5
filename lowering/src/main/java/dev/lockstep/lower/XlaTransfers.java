package dev.lockstep.lower;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.build.Rewriter;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.op.collective.Recv;
import dev.lockstep.hlo.op.collective.RecvDone;
import dev.lockstep.hlo.op.collective.Send;
import dev.lockstep.hlo.op.collective.SendDone;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns XLA's own send and receive of one channel into a collective-permute, when both say who
 * sends to whom ({@code source_target_pairs}, or {@code _xla_send_recv_source_target_pairs}).
 *
 * <p>The send must stand before the receive is waited for: in HLO before the recv-done, in
 * StableHLO before the recv. Otherwise every rank waits before it sends; when the pairs hold a
 * cycle nobody can ever go on, which is a diagnostic, and else the program is a chain, which stays
 * as it is. Transfers without pairs are left to the programs of the other ranks, and those of the
 * host to the host.
 */
final class XlaTransfers {
  /** A send and a receive that are one permute. */
  private static final class Transfer {
    private final Operation send;
    private final Operation recv;
    private final ImmutableList<ImmutableLongArray> pairs;
    private final boolean sendIsLater;
    private @Nullable Value data;
    private @Nullable Value moved;

    Transfer(Operation send, Operation recv, boolean sendIsLater) {
      this.send = send;
      this.recv = recv;
      this.pairs = Collectives.pairs(send);
      this.sendIsLater = sendIsLater;
    }
  }

  private final DeviceGrid grid;
  private final Map<Value, Transfer> bySend = new IdentityHashMap<>();
  private final Map<Value, Transfer> byRecv = new IdentityHashMap<>();
  private final Map<Value, Transfer> byRecvDone = new IdentityHashMap<>();
  private final Set<Value> sendDones = new HashSet<>();

  private XlaTransfers(DeviceGrid grid) {
    this.grid = grid;
  }

  /** Returns {@code module} with such transfers as permutes; the same object without any. */
  static Module lower(Module module, DeviceGrid grid) {
    XlaTransfers transfers = new XlaTransfers(grid);
    for (Function function : module.functions()) {
      if (!function.isDeclaration()) {
        transfers.collect(function.operation().regions());
      }
    }
    return transfers.bySend.isEmpty() ? module : Rewriter.rewrite(module, transfers::rewrite);
  }

  /** Returns whether {@code module} has such a transfer. */
  static boolean isNeeded(Module module) {
    for (Function function : module.functions()) {
      if (!function.isDeclaration()
          && function.body().operations().stream()
              .anyMatch(o -> o.is(Send.DEF) && !Collectives.pairs(o).isEmpty())) {
        return true;
      }
    }
    return false;
  }

  private void collect(ImmutableList<Region> regions) {
    for (Region region : regions) {
      region.blocks().forEach(this::collect);
    }
  }

  private void collect(Block block) {
    Map<Long, Integer> sends = new HashMap<>();
    List<Operation> operations = block.operations();
    for (int i = 0; i < operations.size(); i++) {
      Operation operation = operations.get(i);
      collect(operation.regions());
      if (operation.is(Send.DEF)
          && isBetweenDevices(operation)
          && operation.operands().size() == 2) {
        sends.putIfAbsent(Collectives.CHANNEL.getOr(operation, 0L), i);
      }
    }
    for (int i = 0; !sends.isEmpty() && i < operations.size(); i++) {
      Operation recv = operations.get(i);
      if (recv.is(Recv.DEF) && isBetweenDevices(recv)) {
        Integer at = sends.remove(Collectives.CHANNEL.getOr(recv, 0L));
        if (at != null) {
          pair(block, at, i);
        }
      }
    }
  }

  private static boolean isBetweenDevices(Operation operation) {
    return !Send.IS_HOST_TRANSFER.getOr(operation, false)
        && !Collectives.pairs(operation).isEmpty();
  }

  private void pair(Block block, int sendAt, int recvAt) {
    Operation send = block.operations().get(sendAt);
    Operation recv = block.operations().get(recvAt);
    if (!Collectives.pairs(send).equals(Collectives.pairs(recv))) {
      throw new DiagnosticException(
          Diagnostic.error(
                  "p2p-pairs",
                  "the send and the receive of channel "
                      + Collectives.CHANNEL.getOr(send, 0L)
                      + " name different pairs",
                  send.location())
              .withNote("received here", recv.location()));
    }
    int waitAt = recvAt;
    Operation recvDone = null;
    Operation sendDone = null;
    for (int i = 0; i < block.operations().size(); i++) {
      Operation operation = block.operations().get(i);
      if (operation.is(RecvDone.DEF) && operation.operands().contains(recv.results().get(0))) {
        recvDone = operation;
        waitAt = i;
      }
      if (operation.is(SendDone.DEF) && operation.operands().contains(send.results().get(0))) {
        sendDone = operation;
      }
    }
    if (sendAt > waitAt) {
      checkCycle(send, recvDone == null ? recv : recvDone);
      return;
    }
    Transfer transfer = new Transfer(send, recv, sendAt > recvAt);
    bySend.put(send.results().get(0), transfer);
    byRecv.put(recv.results().get(0), transfer);
    if (recvDone != null) {
      byRecvDone.put(recvDone.results().get(0), transfer);
    }
    if (sendDone != null) {
      sendDones.add(sendDone.results().get(0));
    }
  }

  /**
   * Follows the pairs from every rank; a source has one target, so a walk that returns is a cycle.
   */
  private static void checkCycle(Operation send, Operation wait) {
    Map<Long, Long> targets = new HashMap<>();
    for (ImmutableLongArray pair : Collectives.pairs(send)) {
      targets.put(pair.get(0), pair.get(1));
    }
    for (Long start : targets.keySet()) {
      Long at = targets.get(start);
      for (int steps = 0; at != null && steps <= targets.size(); steps++) {
        if (at.equals(start)) {
          throw new DiagnosticException(
              Diagnostic.error(
                      "p2p-cycle",
                      "rank "
                          + start
                          + " waits for a message before it sends the one that"
                          + " the others wait for, in a cycle back to it",
                      wait.location())
                  .withNote("its own send stands here", send.location()));
        }
        at = targets.get(at);
      }
    }
  }

  private @Nullable ImmutableList<Value> rewrite(Operation operation, OpBuilder builder) {
    if (operation.results().isEmpty()) {
      return null;
    }
    Value first = operation.results().get(0);
    Transfer sent = bySend.get(first);
    if (sent != null) {
      sent.data = operation.operand(0);
      if (sent.sendIsLater) {
        move(sent, builder);
      }
      return ImmutableList.of(operation.operand(1));
    }
    if (sendDones.contains(first)) {
      return operation.operands();
    }
    Transfer received = byRecv.get(first);
    if (received != null) {
      if (!received.sendIsLater) {
        move(received, builder);
      }
      Value token = operation.operand(0);
      // In HLO the recv-done gives the data; what stands for the receive is only its token.
      return operation.results().size() == 1
          ? ImmutableList.of(token)
          : ImmutableList.of(moved(received), token);
    }
    Transfer done = byRecvDone.get(first);
    return done == null
        ? null
        : ImmutableList.of(builder.tuple(ImmutableList.of(moved(done), operation.operand(0))));
  }

  private void move(Transfer transfer, OpBuilder builder) {
    Value data = requireNonNull(transfer.data);
    OptionalLong channel =
        grid.partitions() > 1
            ? OptionalLong.of(Collectives.CHANNEL.getOr(transfer.send, 1L))
            : OptionalLong.empty();
    transfer.moved = builder.collectivePermute(data, transfer.pairs, channel);
  }

  private static Value moved(Transfer transfer) {
    return requireNonNull(transfer.moved, () -> transfer.recv + " is waited for before it is sent");
  }
}
