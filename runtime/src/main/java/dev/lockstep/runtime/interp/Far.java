package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.kernel.GeneratorState;
import dev.lockstep.runtime.transport.Dispatcher;
import dev.lockstep.runtime.transport.TransportException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/** The devices that are in other processes, over all programs that a rank runs. */
final class Far {
  private static final byte MEETING = 'm';
  private static final byte LETTER = 'l';
  private static final byte ARGUMENTS = 'a';

  private final Dispatcher dispatcher;
  private final FarMeetings meetings;
  private final FarPost post;
  private final FarArguments arguments;
  private final Map<Integer, GeneratorState> generators = new HashMap<>();

  Far(DeviceGrid grid, Dispatcher dispatcher, boolean rendezvous) {
    this.dispatcher = dispatcher;
    this.meetings = new FarMeetings(MEETING, dispatcher);
    this.post = new FarPost(LETTER, grid, dispatcher, rendezvous);
    this.arguments = new FarArguments(ARGUMENTS, grid.size(), dispatcher);
  }

  Assembly assembly(Holder holder) {
    return (device, plan, captured, operands) ->
        meetings.arrive(holder, device, plan, captured, operands);
  }

  /**
   * Returns what the devices of all ranks are given for a program over arrays that they share.
   *
   * @param own what this one's is given
   * @param at the program
   * @throws DiagnosticException if another rank does not come
   */
  ImmutableList<ImmutableList<Datum>> gather(ImmutableList<Datum> own, Location at) {
    try {
      return arguments.gather(own);
    } catch (TransportException e) {
      boolean stalled = e.kind() == TransportException.Kind.STALLED;
      throw DiagnosticException.error(
          stalled ? "deadlock" : RankInterpreter.PEER_LOST,
          (stalled ? "no device can move: " : "") + e.getMessage(),
          at);
    }
  }

  FarPost post() {
    return post;
  }

  Map<Integer, GeneratorState> generators() {
    return generators;
  }

  /**
   * Lets something come from another process.
   *
   * @param waits where this one waits; one at least
   * @throws DiagnosticException if nothing can come any more
   */
  void await(ImmutableList<Deadlock.Waiting> waits) {
    Deadlock.Waiting first = waits.get(0);
    TreeSet<Integer> missing = new TreeSet<>();
    waits.forEach(wait -> missing.addAll(wait.missing()));
    Location at = first.operation().location();
    String where = first.place() + (at.isKnown() ? " at " + at : "") + " for " + first.awaited();
    try {
      dispatcher.next(where, ImmutableIntArray.copyOf(missing));
    } catch (TransportException e) {
      throw stopped(e, waits);
    }
  }

  /**
   * Waits until all that was sent is received.
   *
   * @throws DiagnosticException if it will not be, or a rank is lost
   */
  void finish() {
    ImmutableList<Pending> left = post.onTheirWay();
    while (!left.isEmpty()) {
      Pending first = left.get(0);
      try {
        dispatcher.next(
            "its end for " + first.awaited(), ImmutableIntArray.copyOf(first.missing()));
      } catch (TransportException e) {
        if (e.kind() == TransportException.Kind.LOST) {
          throw DiagnosticException.error(
              RankInterpreter.PEER_LOST,
              String.valueOf(e.getMessage()),
              first.operation().location());
        }
        throw new DiagnosticException(
            left.stream()
                .map(
                    letter ->
                        Diagnostic.error(
                            "unmatched-send",
                            "the program has ended and this still waits for " + letter.awaited(),
                            letter.operation().location()))
                .collect(ImmutableList.toImmutableList()));
      }
      left = post.onTheirWay();
    }
  }

  private DiagnosticException stopped(
      TransportException why, ImmutableList<Deadlock.Waiting> waits) {
    Deadlock.Waiting first = waits.get(0);
    String wait =
        String.format(
            "device %d waits in %s for %s", dispatcher.rank(), first.place(), first.awaited());
    boolean stalled = why.kind() == TransportException.Kind.STALLED;
    Diagnostic diagnostic =
        stalled
            ? Diagnostic.error(
                "deadlock", "no device can move: " + wait, first.operation().location())
            : Diagnostic.error(
                RankInterpreter.PEER_LOST,
                why.getMessage() + "; " + wait,
                first.operation().location());
    for (Deadlock.Waiting other : waits.subList(1, waits.size())) {
      diagnostic =
          diagnostic.withNote(
              String.format(
                  "device %d waits in %s for %s",
                  dispatcher.rank(), other.place(), other.awaited()),
              other.operation().location());
    }
    if (stalled) {
      for (String line : String.valueOf(why.getMessage()).lines().toList()) {
        diagnostic = diagnostic.withNote(line, Location.UNKNOWN);
      }
    }
    return new DiagnosticException(diagnostic);
  }
}
