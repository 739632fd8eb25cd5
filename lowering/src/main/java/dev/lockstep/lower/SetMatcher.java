package dev.lockstep.lower;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds which calls of the ranks' programs are one call of the job, and an order of these that
 * every rank's own order agrees with.
 *
 * <p>State: for each rank the call that it comes to next. A collective is taken when all members of
 * its group have come to it, together with those of other groups whose ranks have come to a like
 * call. Sends are taken at once; receives when their message was sent, so that what is received is
 * there when it is used, and only when nothing else moves without it. Each step takes at least one
 * call, so the search ends; when no rank can move, the ranks would wait for each other for ever.
 */
final class SetMatcher {
  private record Channel(ImmutableIntArray group, int source, int target, long tag) {}

  private final List<ImmutableList<SetCall>> programs;
  private final int[] next;
  private final Map<Channel, Integer> inFlight = new HashMap<>();
  private final ImmutableList.Builder<SetStep> steps = ImmutableList.builder();

  private SetMatcher(List<ImmutableList<SetCall>> programs) {
    this.programs = programs;
    this.next = new int[programs.size()];
  }

  /**
   * Returns the steps of the job.
   *
   * @param programs the calls of each rank in program order
   * @throws DiagnosticException if the ranks do not meet
   */
  static ImmutableList<SetStep> match(List<ImmutableList<SetCall>> programs) {
    SetMatcher matcher = new SetMatcher(programs);
    while (!matcher.isDone()) {
      if (!matcher.takeSends()
          && !matcher.takeReceives(true)
          && !matcher.takeLocal()
          && !matcher.takeCollective()
          && !matcher.takeReceives(false)) {
        throw matcher.stuck();
      }
    }
    return matcher.steps.build();
  }

  private @Nullable SetCall head(int rank) {
    ImmutableList<SetCall> calls = programs.get(rank);
    return next[rank] < calls.size() ? calls.get(next[rank]) : null;
  }

  private boolean isDone() {
    for (int rank = 0; rank < next.length; rank++) {
      if (head(rank) != null) {
        return false;
      }
    }
    return true;
  }

  private void take(SortedMap<Integer, SetCall> calls) {
    ImmutableSortedMap<Integer, SetCall> taken = ImmutableSortedMap.copyOf(calls);
    steps.add(new SetStep(taken, SetConfigs.merge(taken)));
    taken.keySet().forEach(rank -> next[rank]++);
  }

  /** Takes the first call that sends, with all like it. */
  private boolean takeSends() {
    TreeMap<Integer, SetCall> taken = new TreeMap<>();
    SetCall.Signature signature = null;
    for (int rank = 0; rank < next.length; rank++) {
      SetCall call = head(rank);
      if (call != null
          && call.isP2p()
          && P2pCalls.sends(call.config()).contains(true)
          && (signature == null || call.signature().equals(signature))) {
        signature = call.signature();
        taken.put(rank, call);
      }
    }
    if (taken.isEmpty()) {
      return false;
    }
    taken.values().forEach(call -> post(call, 1));
    take(taken);
    return true;
  }

  /** Takes the first call that only receives, with all like it. */
  private boolean takeReceives(boolean onlySent) {
    TreeMap<Integer, SetCall> taken = new TreeMap<>();
    SetCall.Signature signature = null;
    for (int rank = 0; rank < next.length; rank++) {
      SetCall call = head(rank);
      if (call != null
          && call.isP2p()
          && (!onlySent || isSent(call))
          && (signature == null || call.signature().equals(signature))) {
        signature = call.signature();
        taken.put(rank, call);
      }
    }
    if (taken.isEmpty()) {
      return false;
    }
    taken.values().forEach(call -> post(call, -1));
    take(taken);
    return true;
  }

  private void post(SetCall call, int change) {
    for (Channel channel : channels(call, change > 0)) {
      inFlight.merge(channel, change, Integer::sum);
    }
  }

  private boolean isSent(SetCall call) {
    for (Channel channel : channels(call, false)) {
      if (inFlight.getOrDefault(channel, 0) <= 0) {
        return false;
      }
    }
    return true;
  }

  private ImmutableList<Channel> channels(SetCall call, boolean sends) {
    ImmutableIntArray group = call.group();
    if (group == null) {
      return ImmutableList.of();
    }
    ImmutableList.Builder<Channel> out = ImmutableList.builder();
    for (P2pEvent event : SetP2p.events(call, programs.size())) {
      int peer = event.peers().get(call.rank());
      if (peer >= 0 && event.isSend() == sends) {
        out.add(
            new Channel(
                group, sends ? call.rank() : peer, sends ? peer : call.rank(), event.tag()));
      }
    }
    return out.build();
  }

  /** Takes calls in which nobody meets, so that they hold nobody up: waits. */
  private boolean takeLocal() {
    TreeMap<Integer, SetCall> taken = new TreeMap<>();
    SetCall.Signature signature = null;
    for (int rank = 0; rank < next.length; rank++) {
      SetCall call = head(rank);
      if (call != null
          && call.config().target().equals(WaitTensorLowering.TARGET)
          && (signature == null || call.signature().equals(signature))) {
        signature = call.signature();
        taken.put(rank, call);
      }
    }
    if (!taken.isEmpty()) {
      take(taken);
    }
    return !taken.isEmpty();
  }

  /** Takes the first collective whose group has come, with all like it whose groups have come. */
  private boolean takeCollective() {
    TreeMap<Integer, SetCall> taken = new TreeMap<>();
    SetCall.Signature signature = null;
    for (int rank = 0; rank < next.length; rank++) {
      SetCall call = head(rank);
      if (call != null
          && !call.isP2p()
          && (signature == null || call.signature().equals(signature))
          && hasCome(call)) {
        signature = call.signature();
        taken.put(rank, call);
      }
    }
    if (!taken.isEmpty()) {
      take(taken);
    }
    return !taken.isEmpty();
  }

  private boolean hasCome(SetCall call) {
    ImmutableIntArray group = call.group();
    for (int i = 0; group != null && i < group.length(); i++) {
      SetCall other = head(group.get(i));
      if (other == null
          || !other.signature().equals(call.signature())
          || !group.equals(other.group())) {
        return false;
      }
    }
    return true;
  }

  private DiagnosticException stuck() {
    Diagnostic diagnostic = null;
    for (int rank = 0; rank < next.length; rank++) {
      SetCall call = head(rank);
      if (call == null) {
        continue;
      }
      ImmutableIntArray group = requireNonNull(call.group());
      StringBuilder missing = new StringBuilder();
      for (int i = 0; i < group.length(); i++) {
        SetCall other = head(group.get(i));
        boolean there =
            other != null
                && other.signature().equals(call.signature())
                && group.equals(other.group());
        if (!there) {
          missing.append(missing.length() == 0 ? "" : ", ").append(group.get(i));
          missing.append(other == null ? " (has ended)" : " (is at " + other + ")");
        }
      }
      String message = "rank " + rank + " waits in " + call + " for rank " + missing;
      diagnostic =
          diagnostic == null
              ? Diagnostic.error(
                  "c10d-set", "the ranks do not meet: " + message, call.config().location())
              : diagnostic.withNote(message, call.config().location());
    }
    return new DiagnosticException(requireNonNull(diagnostic));
  }
}
