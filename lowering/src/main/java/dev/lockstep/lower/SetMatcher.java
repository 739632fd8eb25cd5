package dev.lockstep.lower;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Note;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds which calls of the ranks' programs are one call of the job, and an order of these that
 * every rank's own order agrees with.
 *
 * <p>State: for each rank the item that it comes to next. A collective is taken when all members of
 * its group have come to it, together with those of other groups whose ranks have come to a like
 * call. Sends are taken at once; receives when their message was sent, so that what is received is
 * there when it is used; torch's also when nothing else moves without it, XLA's never, since they
 * block. A part with calls inside is taken when all ranks that have it have come to it. Each step
 * takes at least one item, so the search ends; when no rank can move, the ranks would wait for each
 * other for ever.
 */
final class SetMatcher {
  private record Channel(ImmutableIntArray group, int source, int target, P2pEvent.Tag tag) {}

  private final List<ImmutableList<SetItem>> programs;
  private final int[] next;
  private final Map<Channel, Integer> inFlight = new HashMap<>();
  private final ImmutableList.Builder<SetStep> steps = ImmutableList.builder();

  private SetMatcher(List<ImmutableList<SetItem>> programs) {
    this.programs = programs;
    this.next = new int[programs.size()];
  }

  /**
   * Returns the steps of the job.
   *
   * @param programs the items of each rank in program order
   * @throws DiagnosticException if the ranks do not meet
   */
  static ImmutableList<SetStep> match(List<ImmutableList<SetItem>> programs) {
    SetMatcher matcher = new SetMatcher(programs);
    while (!matcher.isDone()) {
      if (!matcher.takeSends()
          && !matcher.takeReceives(true)
          && !matcher.takeLocal()
          && !matcher.takeCollective()
          && !matcher.takePart()
          && !matcher.takeReceives(false)) {
        throw matcher.stuck();
      }
    }
    return matcher.steps.build();
  }

  private @Nullable SetItem head(int rank) {
    ImmutableList<SetItem> items = programs.get(rank);
    return next[rank] < items.size() ? items.get(next[rank]) : null;
  }

  private @Nullable SetCall call(int rank) {
    return head(rank) instanceof SetCall call ? call : null;
  }

  private @Nullable SetPart part(int rank) {
    return head(rank) instanceof SetPart part ? part : null;
  }

  private boolean isDone() {
    for (int rank = 0; rank < next.length; rank++) {
      if (head(rank) != null) {
        return false;
      }
    }
    return true;
  }

  /**
   * Takes the next calls of ranks that fit: the first, with all like it.
   *
   * @return the calls, none when no rank's next call fits
   */
  private Collection<SetCall> take(Predicate<SetCall> fits) {
    ImmutableSortedMap.Builder<Integer, SetCall> taken = ImmutableSortedMap.naturalOrder();
    SetCall.Signature signature = null;
    for (int rank = 0; rank < next.length; rank++) {
      SetCall call = call(rank);
      if (call != null
          && (signature == null || call.signature().equals(signature))
          && fits.test(call)) {
        signature = call.signature();
        taken.put(rank, call);
      }
    }
    ImmutableSortedMap<Integer, SetCall> calls = taken.buildOrThrow();
    if (!calls.isEmpty()) {
      steps.add(SetStep.ofCalls(calls));
      calls.keySet().forEach(rank -> next[rank]++);
    }
    return calls.values();
  }

  /** Takes the first call that sends, with all like it. */
  private boolean takeSends() {
    Collection<SetCall> taken =
        take(call -> call.isP2p() && P2pCalls.sends(call.config()).contains(true));
    taken.forEach(call -> post(call, 1));
    return !taken.isEmpty();
  }

  /** Takes the first call that only receives, with all like it. */
  private boolean takeReceives(boolean onlySent) {
    Collection<SetCall> taken =
        take(call -> call.isP2p() && (isSent(call) || !onlySent && !call.isXla()));
    taken.forEach(call -> post(call, -1));
    return !taken.isEmpty();
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
    return !take(call -> call.config().target().equals(WaitTensorLowering.TARGET)).isEmpty();
  }

  /** Takes the first collective whose group has come, with all like it whose groups have come. */
  private boolean takeCollective() {
    return !take(call -> !call.isP2p() && hasCome(call)).isEmpty();
  }

  private boolean hasCome(SetCall call) {
    ImmutableIntArray group = call.group();
    for (int i = 0; group != null && i < group.length(); i++) {
      SetCall other = call(group.get(i));
      if (other == null
          || !other.signature().equals(call.signature())
          || !group.equals(other.group())) {
        return false;
      }
    }
    return true;
  }

  /** Takes the first part to which all ranks that meet in it have come. */
  private boolean takePart() {
    for (int rank = 0; rank < next.length; rank++) {
      SetPart part = part(rank);
      if (part == null) {
        continue;
      }
      TreeMap<Integer, SetPart> taken = new TreeMap<>();
      for (int member : members(part)) {
        SetPart other = part(member);
        if (other != null && isSame(part, other)) {
          taken.put(member, other);
        }
      }
      if (taken.size() == members(part).size()) {
        steps.add(SetStep.ofParts(ImmutableSortedMap.copyOf(taken)));
        taken.keySet().forEach(member -> next[member]++);
        return true;
      }
    }
    return false;
  }

  private static boolean isSame(SetPart a, SetPart b) {
    return a.key().equals(b.key()) && Objects.equals(a.group(), b.group());
  }

  /** Returns the ranks that meet in {@code part}: its group, or all that have the same code. */
  private List<Integer> members(SetPart part) {
    ImmutableIntArray group = part.group();
    if (group != null) {
      return group.asList();
    }
    List<Integer> out = new ArrayList<>();
    for (int rank = 0; rank < programs.size(); rank++) {
      if (programs.get(rank).stream()
          .anyMatch(item -> item instanceof SetPart other && isSame(part, other))) {
        out.add(rank);
      }
    }
    return out;
  }

  private DiagnosticException stuck() {
    Diagnostic diagnostic = null;
    boolean onlyMessages = true;
    for (int rank = 0; rank < next.length; rank++) {
      SetItem item = head(rank);
      if (item == null) {
        continue;
      }
      StringBuilder missing = new StringBuilder();
      for (int partner : partners(item)) {
        SetItem other = head(partner);
        missing.append(missing.length() == 0 ? "" : ", ").append(partner);
        missing.append(other == null ? " (has ended)" : " (is at " + other + ")");
      }
      onlyMessages &=
          item instanceof SetCall call
              && call.isXla()
              && partners(item).stream().allMatch(partner -> head(partner) != null);
      String message = "rank " + rank + " waits in " + item + " for rank " + missing;
      diagnostic =
          diagnostic == null
              ? Diagnostic.error("c10d-set", "the ranks do not meet: " + message, item.location())
              : diagnostic.withNote(message, item.location());
    }
    Diagnostic found = withLastSends(requireNonNull(diagnostic));
    return new DiagnosticException(
        onlyMessages && found.notes().size() > 0 ? asCycle(found) : found);
  }

  /** Adds where those that have ended sent last to ranks that wait for one message more. */
  private Diagnostic withLastSends(Diagnostic stuck) {
    Diagnostic out = stuck;
    for (int rank = 0; rank < next.length; rank++) {
      SetCall waiting = call(rank);
      if (waiting == null || !waiting.isP2p()) {
        continue;
      }
      for (Channel channel : channels(waiting, false)) {
        SetCall last = head(channel.source()) == null ? lastSend(channel) : null;
        if (last != null) {
          out =
              out.withNote(
                  "rank " + channel.source() + " sends to rank " + rank + " here for the last time",
                  last.location());
        }
      }
    }
    return out;
  }

  private @Nullable SetCall lastSend(Channel channel) {
    SetCall last = null;
    for (SetItem item : programs.get(channel.source())) {
      if (item instanceof SetCall call
          && call.isP2p()
          && channels(call, true).stream().anyMatch(sent -> sent.target() == channel.target())) {
        last = call;
      }
    }
    return last;
  }

  private static Diagnostic asCycle(Diagnostic stuck) {
    String message = stuck.message().replaceFirst("the ranks do not meet: ", "");
    Diagnostic out =
        Diagnostic.error(
            "p2p-cycle",
            message + "; every rank waits for a message that another sends only afterwards",
            stuck.location());
    for (Note note : stuck.notes()) {
      out = out.withNote(note.message(), note.location());
    }
    return out;
  }

  /** Returns the ranks that have not come to where {@code item} needs them. */
  private List<Integer> partners(SetItem item) {
    List<Integer> out = new ArrayList<>();
    if (item instanceof SetPart part) {
      for (int member : members(part)) {
        SetPart other = part(member);
        if (other == null || !isSame(part, other)) {
          out.add(member);
        }
      }
    } else if (item instanceof SetCall call) {
      if (call.isP2p()) {
        channels(call, false).forEach(channel -> out.add(channel.source()));
        return out;
      }
      ImmutableIntArray group = requireNonNull(call.group());
      for (int i = 0; i < group.length(); i++) {
        SetCall other = call(group.get(i));
        if (other == null
            || !other.signature().equals(call.signature())
            || !group.equals(other.group())) {
          out.add(group.get(i));
        }
      }
    }
    return out;
  }
}
