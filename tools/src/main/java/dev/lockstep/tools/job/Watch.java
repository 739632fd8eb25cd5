package dev.lockstep.tools.job;

import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.Session;
import java.time.Duration;
import java.util.List;

/** Waits for the processes of a job. */
final class Watch {
  /**
   * How long ranks have, once one has failed, to notice through the relay and to say so; a rank
   * that had not joined yet when another failed might wait for it much longer.
   */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private static final long STEP_MILLIS = 20;

  private final Session session;
  private final List<RankChild> children;

  Watch(Session session, List<RankChild> children) {
    this.session = session;
    this.children = children;
  }

  /** Returns when all have ended; ends those that go on long after one has failed. */
  void untilAllHaveEnded() {
    long failedAt = 0;
    while (children.stream().anyMatch(RankChild::isAlive)) {
      boolean failed =
          children.stream().anyMatch(child -> !child.isAlive() && child.exit() != ExitCode.OK);
      if (failed && failedAt == 0) {
        failedAt = System.nanoTime();
      }
      if (failed && System.nanoTime() - failedAt > GRACE.toNanos()) {
        children.forEach(RankChild::kill);
        return;
      }
      try {
        Thread.sleep(STEP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        session.say("lockstep: interrupted");
        return;
      }
    }
  }
}
