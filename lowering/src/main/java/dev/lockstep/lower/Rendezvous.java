package dev.lockstep.lower;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Location;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Plays the program with sends that block: a call returns on a rank once every one of its messages
 * has met its partner. Says so when the ranks wait for each other for ever.
 *
 * <p>State: for each rank the call it stands in. A rank moves on when the partners of all its
 * messages, or all members of its group, have reached the call they meet in. Moves never hinder
 * each other, so the order in which ranks are tried does not matter, and the loop ends after at
 * most ranks * calls moves.
 */
final class Rendezvous {
  /** A rank's wait in one call. */
  private record Wait(int partner, int partnerCall, Location location, String what) {}

  private Rendezvous() {}

  /** Reports to {@code sink} when ranks cannot go on. */
  static void check(
      ImmutableList<P2pEvent> events,
      ImmutableList<P2pMatcher.Match> matches,
      ImmutableList<P2pMatcher.Fence> fences,
      int ranks,
      DiagnosticSink sink) {
    TreeMap<Integer, ImmutableList.Builder<Wait>[]> waits = new TreeMap<>();
    for (P2pMatcher.Match match : matches) {
      P2pEvent send = events.get(match.send());
      P2pEvent receive = events.get(match.receive());
      for (Pair pair : match.pairs()) {
        at(waits, send.call(), ranks)[pair.source()].add(
            new Wait(pair.target(), receive.call(), send.location(), "send to"));
        at(waits, receive.call(), ranks)[pair.target()].add(
            new Wait(pair.source(), send.call(), receive.location(), "receive from"));
      }
    }
    for (P2pMatcher.Fence fence : fences) {
      for (int rank = 0; rank < ranks; rank++) {
        ImmutableIntArray group = fence.groupOf().members().get(rank);
        for (int i = 0; i < group.length(); i++) {
          at(waits, fence.call(), ranks)[rank].add(
              new Wait(group.get(i), fence.call(), fence.location(), "collective with"));
        }
      }
    }
    play(waits, ranks, sink);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // An array of builders has no checked creation.
  private static ImmutableList.Builder<Wait>[] at(
      SortedMap<Integer, ImmutableList.Builder<Wait>[]> waits, int call, int ranks) {
    return waits.computeIfAbsent(
        call,
        key -> {
          ImmutableList.Builder[] made = new ImmutableList.Builder[ranks];
          Arrays.setAll(made, i -> ImmutableList.builder());
          return made;
        });
  }

  private static void play(
      SortedMap<Integer, ImmutableList.Builder<Wait>[]> waits, int ranks, DiagnosticSink sink) {
    ImmutableList<Integer> calls = ImmutableList.copyOf(waits.keySet());
    int[] standing = new int[ranks];
    boolean moved = true;
    while (moved) {
      moved = false;
      for (int rank = 0; rank < ranks; rank++) {
        while (standing[rank] < calls.size() && blocked(waits, calls, standing, rank) == null) {
          standing[rank]++;
          moved = true;
        }
      }
    }
    Diagnostic diagnostic = null;
    for (int rank = 0; rank < ranks; rank++) {
      if (standing[rank] >= calls.size()) {
        continue;
      }
      Wait wait = requireNonNull(blocked(waits, calls, standing, rank));
      String message = "rank " + rank + " waits here, " + wait.what() + " rank " + wait.partner();
      diagnostic =
          diagnostic == null
              ? Diagnostic.error(
                  "p2p-rendezvous",
                  "sends that block would wait for ever: " + message,
                  wait.location())
              : diagnostic.withNote(message, wait.location());
    }
    if (diagnostic != null) {
      sink.report(diagnostic);
    }
  }

  private static @Nullable Wait blocked(
      SortedMap<Integer, ImmutableList.Builder<Wait>[]> waits,
      ImmutableList<Integer> calls,
      int[] standing,
      int rank) {
    int call = calls.get(standing[rank]);
    for (Wait wait : requireNonNull(waits.get(call))[rank].build()) {
      int at = standing[wait.partner()];
      if (at < calls.size() && calls.get(at) < wait.partnerCall()) {
        return wait;
      }
    }
    return null;
  }
}
