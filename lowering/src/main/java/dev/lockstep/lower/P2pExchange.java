package dev.lockstep.lower;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The sends and receives of one block: matched before the walk, written during it.
 *
 * <p>State: the tensor that each event was given, and what each receive has got so far. A receive
 * is done when the last permute that brings it a message has been written.
 */
final class P2pExchange {
  private final ImmutableList<P2pEvent> events;
  private final ImmutableListMultimap<Integer, Integer> eventsOfCall;
  private final ImmutableListMultimap<Integer, P2pMatcher.Match> matchesAtCall;
  private final Map<Integer, Value> tensors = new HashMap<>();
  private final int[] missing;
  private final boolean[] awaited;

  private P2pExchange(ImmutableList<P2pEvent> events, ImmutableList<P2pMatcher.Match> matches) {
    this.events = events;
    ImmutableListMultimap.Builder<Integer, Integer> byCall = ImmutableListMultimap.builder();
    for (int e = 0; e < events.size(); e++) {
      byCall.put(events.get(e).call(), e);
    }
    this.eventsOfCall = byCall.build();
    ImmutableListMultimap.Builder<Integer, P2pMatcher.Match> at = ImmutableListMultimap.builder();
    this.missing = new int[events.size()];
    this.awaited = new boolean[events.size()];
    for (P2pMatcher.Match match : matches) {
      at.put(Math.max(events.get(match.send()).call(), events.get(match.receive()).call()), match);
      missing[match.receive()]++;
      awaited[match.receive()] = true;
    }
    this.matchesAtCall = at.build();
  }

  /**
   * Returns the exchange of the calls that stand in {@code block} itself, numbered in order.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException if messages do not meet
   */
  static P2pExchange of(Block block, DeviceGrid grid, boolean rendezvous) {
    ImmutableList.Builder<P2pEvent> events = ImmutableList.builder();
    ImmutableList.Builder<P2pMatcher.Fence> fences = ImmutableList.builder();
    int number = 0;
    for (Operation operation : block.operations()) {
      if (!CallReader.isCall(operation)) {
        continue;
      }
      CallConfig config = CallReader.config(operation);
      if (P2pCalls.isTarget(config.target())) {
        events.addAll(
            P2pCalls.events(
                config,
                CallGroups.of(config, grid),
                number,
                CallReader.tensors(operation.operandTypes(), "operand", config),
                CallReader.results(operation, config)));
      } else if (!config.target().equals(WaitTensorLowering.TARGET)) {
        fences.add(
            new P2pMatcher.Fence(
                number, P2pEvent.GroupKeys.of(CallGroups.of(config, grid)), operation.location()));
      }
      number++;
    }
    ImmutableList<P2pEvent> all = events.build();
    if (all.isEmpty()) {
      return new P2pExchange(all, ImmutableList.of());
    }
    DiagnosticSink sink = new DiagnosticSink();
    ImmutableList<P2pMatcher.Match> matches = P2pMatcher.match(all, fences.build(), sink);
    sink.throwIfErrors();
    if (rendezvous) {
      Rendezvous.check(all, matches, fences.build(), grid.size(), sink);
      sink.throwIfErrors();
    }
    return new P2pExchange(all, matches);
  }

  /** Returns the receives of call {@code number}, in the order of its results. */
  ImmutableList<Integer> receivesOf(int number) {
    return eventsOfCall.get(number).stream()
        .filter(e -> !events.get(e).isSend())
        .collect(ImmutableList.toImmutableList());
  }

  /**
   * Takes the tensors of call {@code number} and writes every permute that can stand here.
   *
   * @param done gets each receive that is complete now, and what it received
   */
  void meet(
      int number, ImmutableList<Value> operands, Scope scope, BiConsumer<Integer, Value> done) {
    ImmutableList<Integer> posted = eventsOfCall.get(number);
    for (int i = 0; i < operands.size(); i++) {
      tensors.put(posted.get(i), operands.get(i));
    }
    for (P2pMatcher.Match match : matchesAtCall.get(number)) {
      Value moved = scope.collectives().permute(tensor(match.send()), match.pairs());
      Value before = tensors.get(match.receive());
      boolean[] targets = new boolean[scope.grid().size()];
      match.pairs().forEach(pair -> targets[pair.target()] = true);
      // XLA gives zeros to a rank that nothing reaches; it keeps what it had, if it had something.
      Value kept = before == null ? moved : scope.ranks().choose(targets, moved, before);
      tensors.put(match.receive(), kept);
      if (--missing[match.receive()] == 0) {
        done.accept(match.receive(), kept);
      }
    }
    for (int event : posted) {
      if (!events.get(event).isSend() && !awaited[event]) {
        Value buffer = tensors.get(event);
        TensorType type = events.get(event).type();
        done.accept(event, buffer == null ? scope.emit().zeros(type) : buffer);
      }
    }
  }

  private Value tensor(int event) {
    return requireNonNull(tensors.get(event));
  }
}
