package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.op.collective.Recv;
import dev.lockstep.hlo.op.collective.RecvDone;
import dev.lockstep.hlo.op.collective.Send;
import dev.lockstep.hlo.op.collective.SendDone;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds XLA's own sends and receives in one text that all ranks run: first in, first out on each
 * channel within a computation, when it is known who sends to whom.
 *
 * <p>Pairs say that ({@code source_target_pairs}, {@code _xla_send_recv_source_target_pairs}); so
 * do maximal shardings of both ends, which put each on one device; and on one device alone there is
 * nothing to say. Otherwise one text does not tell, and that is a diagnostic.
 *
 * <p>The send must stand before the receive is waited for: in HLO before the recv-done, in
 * StableHLO before the recv. Otherwise every rank waits before it sends; when the pairs hold a
 * cycle nobody can ever go on, which is a diagnostic, and else the program is a chain, which stays
 * as it is. So do transfers that pipelined loops start in one computation and end in another.
 */
final class TransferMatcher {
  /**
   * A send and a receive of the same messages.
   *
   * @param send the send
   * @param recv the receive
   * @param sendDone HLO's send-done, if it stands in the same computation
   * @param recvDone HLO's recv-done; null in StableHLO
   * @param pairs who sends to whom
   * @param isSendLater whether the send stands after the receive
   */
  record Match(
      Operation send,
      Operation recv,
      @Nullable Operation sendDone,
      @Nullable Operation recvDone,
      ImmutableList<ImmutableLongArray> pairs,
      boolean isSendLater) {}

  private final @Nullable DeviceGrid grid;
  private final ImmutableList.Builder<Match> matches = ImmutableList.builder();
  private final List<Operation> lone = new ArrayList<>();
  private final List<Operation> ends = new ArrayList<>();

  private TransferMatcher(@Nullable DeviceGrid grid) {
    this.grid = grid;
  }

  /**
   * Returns the matches in {@code module}.
   *
   * @param grid all devices, or null when their number is not known
   */
  static ImmutableList<Match> match(Module module, @Nullable DeviceGrid grid) {
    TransferMatcher matcher = new TransferMatcher(grid);
    for (Function function : module.functions()) {
      if (!function.isDeclaration()) {
        matcher.match(function.operation().regions());
      }
    }
    matcher.checkLone();
    return matcher.matches.build();
  }

  private void match(ImmutableList<Region> regions) {
    for (Region region : regions) {
      region.blocks().forEach(this::match);
    }
  }

  private void match(Block block) {
    Map<Long, Deque<Integer>> sends = new HashMap<>();
    List<Integer> receives = new ArrayList<>();
    List<Operation> operations = block.operations();
    for (int i = 0; i < operations.size(); i++) {
      Operation operation = operations.get(i);
      match(operation.regions());
      if (operation.is(Send.DEF) && !TransferEnd.isOfHost(operation)) {
        sends.computeIfAbsent(channel(operation), key -> new ArrayDeque<>()).add(i);
        ends.add(operation);
      } else if (operation.is(Recv.DEF) && !TransferEnd.isOfHost(operation)) {
        receives.add(i);
        ends.add(operation);
      }
    }
    for (int recvAt : receives) {
      Deque<Integer> onChannel = sends.get(channel(operations.get(recvAt)));
      if (onChannel == null || onChannel.isEmpty()) {
        lone.add(operations.get(recvAt));
      } else {
        pair(block, onChannel.remove(), recvAt);
      }
    }
    sends.values().forEach(left -> left.forEach(i -> lone.add(operations.get(i))));
  }

  private static long channel(Operation operation) {
    return Collectives.CHANNEL.getOr(operation, 0L);
  }

  private void pair(Block block, int sendAt, int recvAt) {
    Operation send = block.operations().get(sendAt);
    Operation recv = block.operations().get(recvAt);
    ImmutableList<ImmutableLongArray> pairs = pairs(send, recv);
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
    boolean isHlo =
        recv.results().size() == 1
            && send.results().get(0).type().equals(recv.results().get(0).type());
    if (sendAt > waitAt) {
      checkCycle(pairs, send, recvDone == null ? recv : recvDone);
    } else if (!isHlo || recvDone != null && sendDone != null) {
      matches.add(new Match(send, recv, sendDone, recvDone, pairs, sendAt > recvAt));
    }
  }

  private ImmutableList<ImmutableLongArray> pairs(Operation send, Operation recv) {
    ImmutableList<ImmutableLongArray> pairs = Collectives.pairs(send);
    if (!pairs.equals(Collectives.pairs(recv))) {
      throw new DiagnosticException(
          Diagnostic.error(
                  "p2p-pairs",
                  "the send and the receive of channel " + channel(send) + " name different pairs",
                  send.location())
              .withNote("received here", recv.location()));
    }
    if (!pairs.isEmpty()) {
      return pairs;
    }
    Long source = MaximalSharding.device(send);
    Long target = MaximalSharding.device(recv);
    if (source != null && target != null) {
      return ImmutableList.of(ImmutableLongArray.of(source, target));
    }
    if (grid != null && grid.size() == 1) {
      return ImmutableList.of(ImmutableLongArray.of(0, 0));
    }
    throw new DiagnosticException(
        Diagnostic.error(
                "p2p-undecided",
                "channel "
                    + channel(send)
                    + " does not say who sends to whom: all ranks run this one text, so each both"
                    + " sends and receives; add "
                    + XlaTransfers.HOW_TO_SAY
                    + " to both ends, or give the programs of all ranks with --ranks",
                send.location())
            .withNote("received here", recv.location()));
  }

  /** Ends without another are wrong, but for those whose other stands in another computation. */
  private void checkLone() {
    for (Operation end : lone) {
      boolean isSend = end.is(Send.DEF);
      Operation near = null;
      boolean straddles = false;
      for (Operation other : ends) {
        if (other.is(Send.DEF) != isSend) {
          straddles |= channel(other) == channel(end);
          near = near == null || lone.contains(other) && !lone.contains(near) ? other : near;
        }
      }
      if (straddles) {
        continue;
      }
      Diagnostic diagnostic =
          Diagnostic.error(
              "p2p-unmatched",
              (isSend ? "nothing receives" : "nothing sends")
                  + " on channel "
                  + channel(end)
                  + ", on which this "
                  + (isSend ? "sends" : "receives"),
              end.location());
      throw new DiagnosticException(
          near == null
              ? diagnostic
              : diagnostic.withNote(
                  "this " + (isSend ? "receives" : "sends") + " on channel " + channel(near),
                  near.location()));
    }
  }

  /**
   * Follows the pairs from every rank; a source has one target, so a walk that returns is a cycle.
   */
  private static void checkCycle(
      ImmutableList<ImmutableLongArray> pairs, Operation send, Operation wait) {
    Map<Long, Long> targets = new HashMap<>();
    for (ImmutableLongArray pair : pairs) {
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
}
