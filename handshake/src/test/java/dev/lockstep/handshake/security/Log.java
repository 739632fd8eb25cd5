package dev.lockstep.handshake.security;

import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Verdict;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** Keeps what a coordinator tells its log about peers it does not trust. */
final class Log implements CoordinatorListener {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  private void add(String line) {
    lines.add(line);
  }

  @Override
  public void refused(String link, int rank, Refusal refusal) {
    add("refused " + link + " rank " + rank + " " + refusal.code() + ": " + refusal.text());
  }

  @Override
  public void rejected(String link, int rank, long sequence, Verdict verdict) {
    add("rejected " + link + " rank " + rank + " " + verdict.reason() + ": " + verdict.text());
  }

  @Override
  public void turnedAway(String peer, String code, String why) {
    add("turned away " + peer + " " + code + ": " + why);
  }

  @Override
  public void dropped(String link, String why) {
    add("dropped " + link + " " + why);
  }

  @Override
  public void lost(int rank, String why) {
    add("lost rank " + rank + " " + why);
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  /** Returns how many lines hold all of the words. */
  long count(String... words) {
    return lines.stream().filter(line -> List.of(words).stream().allMatch(line::contains)).count();
  }

  /** Waits until {@code times} lines hold all of the words. */
  void await(long times, String... words) {
    long start = System.nanoTime();
    while (count(words) < times) {
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        throw new AssertionError("not logged: " + List.of(words) + " in " + lines);
      }
      sleep(10);
    }
  }

  static void sleep(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new AssertionError(stopped);
    }
  }
}
