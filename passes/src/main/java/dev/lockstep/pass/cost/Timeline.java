package dev.lockstep.pass.cost;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * Plays the tasks of a graph on a device that computes one thing and communicates one thing at a
 * time, both at once where nothing stands against it.
 *
 * <p>Computation goes in program order. A collective starts as soon as what it needs is there and
 * the network is free, the earliest in program order first; but results that nothing uses yet may
 * take only so much memory, unless computation waits for just this one. The tasks of a segment
 * start when all of the one before have ended. Memory is taken when a task starts and given back
 * when the last that needs it ends.
 */
final class Timeline {
  private final List<Task> tasks;
  private final DeviceModel device;
  private final boolean isProgram;
  private final int[] missing;
  private final List<List<Integer>> waiting = new ArrayList<>();
  private final double[] ends;
  private final List<Integer> computing = new ArrayList<>();
  private final TreeSet<Integer> ready = new TreeSet<>();
  private final List<List<Place.Buffer>> madeBy = new ArrayList<>();
  private final List<List<Place.Buffer>> lastUsedBy = new ArrayList<>();
  private final List<List<Place.Buffer>> firstUsedBy = new ArrayList<>();
  private final long[] made;
  private int nextCompute;
  private long live;
  private long peak;
  private long prefetched;

  /**
   * Creates a timeline.
   *
   * @param isProgram whether it is a program that is started, and not code inside one
   */
  Timeline(CostGraph graph, DeviceModel device, boolean isProgram) {
    this.tasks = graph.tasks;
    this.device = device;
    this.isProgram = isProgram;
    this.missing = new int[tasks.size()];
    this.ends = new double[tasks.size()];
    this.made = new long[tasks.size()];
    Arrays.fill(ends, Double.POSITIVE_INFINITY);
    for (int i = 0; i < tasks.size(); i++) {
      waiting.add(new ArrayList<>());
      madeBy.add(new ArrayList<>());
      lastUsedBy.add(new ArrayList<>());
      firstUsedBy.add(new ArrayList<>());
    }
    for (Place.Buffer buffer : graph.buffers()) {
      if (buffer.maker < 0) {
        live += buffer.bytes;
      } else {
        madeBy.get(buffer.maker).add(buffer);
        made[buffer.maker] += buffer.bytes;
      }
      if (!buffer.stays && buffer.lastUse >= 0) {
        lastUsedBy.get(buffer.lastUse).add(buffer);
      }
      if (buffer.firstUse < tasks.size() && isCollective(buffer.maker)) {
        firstUsedBy.get(buffer.firstUse).add(buffer);
      }
    }
    peak = live;
  }

  private boolean isCollective(int task) {
    return task >= 0 && tasks.get(task).kind() == Task.Kind.COMMUNICATE;
  }

  /** Returns what the run takes. */
  Estimate run() {
    double now = 0;
    int begin = 0;
    int segments = 0;
    double computes = 0;
    double communicates = 0;
    boolean isCut =
        !tasks.isEmpty() && tasks.get(tasks.size() - 1).segment() != tasks.get(0).segment();
    // Code inside a program is started with it, unless it is cut: then it runs segment by segment.
    double launch = isProgram || isCut ? device.get(DeviceConstant.LAUNCH_LATENCY) : 0;
    double launches = 0;
    while (begin < tasks.size()) {
      int end = begin;
      while (end < tasks.size() && tasks.get(end).segment() == tasks.get(begin).segment()) {
        end++;
      }
      now = segment(begin, end, now + launch);
      launches += launch;
      segments++;
      begin = end;
    }
    for (Task task : tasks) {
      communicates += task.communication();
      computes += task.compute();
      launches += task.launch();
    }
    return new Estimate(now, computes, communicates, launches, peak, Math.max(1, segments));
  }

  /** Plays the tasks from {@code begin} to {@code end} and returns when the last one ends. */
  private double segment(int begin, int end, double start) {
    computing.clear();
    ready.clear();
    nextCompute = 0;
    for (int i = begin; i < end; i++) {
      Task task = tasks.get(i);
      int open = 0;
      for (int need : task.needs()) {
        if (need >= begin) {
          waiting.get(need).add(i);
          open++;
        }
      }
      missing[i] = open;
      if (task.kind() != Task.Kind.COMMUNICATE) {
        computing.add(i);
      } else if (open == 0) {
        ready.add(i);
      }
    }
    double now = start;
    int computes = -1;
    int communicates = -1;
    int left = end - begin;
    while (left > 0) {
      if (computes < 0 && nextCompute < computing.size()) {
        int task = computing.get(nextCompute);
        boolean needsNetwork = tasks.get(task).kind() == Task.Kind.BOTH;
        if (missing[task] == 0 && !(needsNetwork && communicates >= 0)) {
          computes = task;
          communicates = needsNetwork ? task : communicates;
          nextCompute++;
          begin(task, now);
        }
      }
      if (communicates < 0 && !ready.isEmpty()) {
        int task = choose(computes < 0);
        if (task >= 0) {
          ready.remove(task);
          communicates = task;
          begin(task, now);
        }
      }
      now = Math.min(end(computes), end(communicates));
      if (computes >= 0 && end(computes) <= now) {
        left--;
        finish(computes);
        communicates = communicates == computes ? -1 : communicates;
        computes = -1;
      }
      if (communicates >= 0 && end(communicates) <= now) {
        left--;
        finish(communicates);
        communicates = -1;
      }
    }
    return now;
  }

  private double end(int task) {
    return task < 0 ? Double.POSITIVE_INFINITY : ends[task];
  }

  /**
   * Returns the ready collective to start, or -1 to wait.
   *
   * @param isIdle whether nothing computes, so that something must be started
   */
  private int choose(boolean isIdle) {
    for (int task : ready) {
      if (prefetched + made[task] <= device.prefetchBytes() || isAwaited(task)) {
        return task;
      }
    }
    return isIdle ? ready.first() : -1;
  }

  private boolean isAwaited(int task) {
    return nextCompute < computing.size()
        && tasks.get(computing.get(nextCompute)).needs().contains(task);
  }

  private void begin(int task, double now) {
    ends[task] = now + tasks.get(task).seconds();
    live += made[task];
    for (Place.Buffer buffer : firstUsedBy.get(task)) {
      prefetched -= buffer.bytes;
    }
    if (isCollective(task)) {
      for (Place.Buffer buffer : madeBy.get(task)) {
        prefetched += buffer.firstUse < tasks.size() ? buffer.bytes : 0;
      }
    }
    peak = Math.max(peak, live + tasks.get(task).temporary());
  }

  private void finish(int task) {
    for (Place.Buffer buffer : lastUsedBy.get(task)) {
      live -= buffer.bytes;
    }
    for (int user : ImmutableList.copyOf(waiting.get(task))) {
      if (--missing[user] == 0 && isCollective(user)) {
        ready.add(user);
      }
    }
  }
}
