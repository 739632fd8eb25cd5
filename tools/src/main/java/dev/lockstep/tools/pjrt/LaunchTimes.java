package dev.lockstep.tools.pjrt;

import com.google.common.base.Stopwatch;
import dev.lockstep.tools.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What {@code run --repeat} measures. */
final class LaunchTimes {
  private LaunchTimes() {}

  /**
   * Runs {@code once} {@code repeat} times and says how long it takes.
   *
   * @param launches what one time is, in words: "launches"
   */
  static void measure(
      Session session, int repeat, long compiledMilliseconds, String launches, Runnable once) {
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < repeat; i++) {
      Stopwatch watch = Stopwatch.createStarted();
      once.run();
      times.add(watch.elapsed(TimeUnit.NANOSECONDS));
    }
    times.sort(null);
    double median = times.get(times.size() / 2) / 1e6;
    double least = times.get(0) / 1e6;
    session.say(
        String.format(
            "compiled in %d ms; %d %s: median %.3f ms, least %.3f ms",
            compiledMilliseconds, repeat, launches, median, least));
    session.report().put("compile_ms", compiledMilliseconds);
    session.report().put("launch_ms_median", median);
    session.report().put("launch_ms_least", least);
  }
}
