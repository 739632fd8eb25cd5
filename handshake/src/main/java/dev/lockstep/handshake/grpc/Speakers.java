package dev.lockstep.handshake.grpc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which of an aggregator's streams speaks for which rank: the last one that the coordinator has
 * welcomed, whatever others claim.
 *
 * @param <S> a stream
 */
final class Speakers<S> {
  private final Map<Integer, Speaker<S>> speakers = new HashMap<>();

  /** Hellos that went up and were not answered yet, in order. */
  private final Map<Claim, ArrayDeque<S>> greeting = new HashMap<>();

  private record Claim(int rank, long incarnation) {}

  private record Speaker<S>(S stream, long incarnation) {}

  /** A process has said hello on a stream. */
  void greet(int rank, long incarnation, S stream) {
    greeting.computeIfAbsent(new Claim(rank, incarnation), claim -> new ArrayDeque<>()).add(stream);
  }

  /** Returns whose hello it was that is answered now, or null when none waits for an answer. */
  @Nullable S greeted(int rank, long incarnation) {
    Claim claim = new Claim(rank, incarnation);
    ArrayDeque<S> waiting = greeting.get(claim);
    if (waiting == null) {
      return null;
    }
    S first = waiting.remove();
    if (waiting.isEmpty()) {
      greeting.remove(claim);
    }
    return first;
  }

  /** Whether a hello of the process waits for its answer. */
  boolean greets(int rank, long incarnation) {
    return greeting.containsKey(new Claim(rank, incarnation));
  }

  /** The rank was welcomed on this stream. */
  void speaks(int rank, long incarnation, S stream) {
    speakers.put(rank, new Speaker<>(stream, incarnation));
  }

  /** Whether this stream speaks for the rank. */
  boolean speaks(int rank, S stream) {
    return of(rank) == stream;
  }

  /** Returns the stream that speaks for a rank, or null. */
  @Nullable S of(int rank) {
    Speaker<S> speaker = speakers.get(rank);
    return speaker == null ? null : speaker.stream;
  }

  /** The process is not heard any more; returns its stream, or null if it does not speak. */
  @Nullable S ended(int rank, long incarnation) {
    Speaker<S> speaker = speakers.get(rank);
    if (speaker == null || speaker.incarnation != incarnation) {
      return null;
    }
    speakers.remove(rank);
    return speaker.stream;
  }

  /** The rank is not spoken for any more, and that went up. */
  void left(int rank) {
    speakers.remove(rank);
  }

  /**
   * A stream is gone; returns the ranks that nobody speaks for now, those left out that the same
   * process has introduced on another stream already.
   */
  List<Integer> gone(S stream) {
    List<Integer> lost = new ArrayList<>();
    speakers
        .entrySet()
        .removeIf(
            entry -> {
              boolean mine = entry.getValue().stream == stream;
              Claim claim = new Claim(entry.getKey(), entry.getValue().incarnation);
              if (mine && !greeting.containsKey(claim)) {
                lost.add(entry.getKey());
              }
              return mine;
            });
    return lost;
  }

  /** How many ranks are spoken for. */
  int size() {
    return speakers.size();
  }

  void clear() {
    speakers.clear();
    greeting.clear();
  }
}
