package dev.lockstep.handshake.simulate;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.coordinator.Coordinator;
import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.coordinator.CoordinatorOptions;
import dev.lockstep.handshake.coordinator.CoordinatorOutput;
import dev.lockstep.handshake.coordinator.Link;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A whole job in one thread: the coordinator, a client a rank, and a network that delays, cuts and
 * repeats, all on simulated time. The same seed gives the same run, to the last event.
 */
public final class Simulation {
  /** Longest simulated time of a run: longer means that something waits for ever. */
  private static final long END = Duration.ofHours(4).toNanos();

  private final Script script;
  private final Faults faults;
  private final Random random;
  private final CoordinatorOptions options;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<String> lines = new ArrayList<>();
  private final List<Outcome.Given> given = new ArrayList<>();
  private final Watch watch;
  private final boolean logging;
  private final SimulatedRank[] ranks;
  private long now;
  private long eventNumber;
  private @Nullable Coordinator coordinator;
  private final Map<Link, SimulatedLink> links = new LinkedHashMap<>();
  private long coordinatorTickAt = Long.MAX_VALUE;
  private int coordinators;
  private long epoch;

  /** Something that happens at a time; what is due at once happens in the order of its making. */
  private record Event(long at, long number, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private Simulation(Script script, Faults faults, long seed, boolean logging) {
    this.script = script;
    this.faults = faults;
    this.random = new Random(seed);
    this.logging = logging;
    this.options =
        new CoordinatorOptions(
            "simulated",
            "",
            script.world(),
            Duration.ofSeconds(20),
            Duration.ofMinutes(10),
            Duration.ofSeconds(5),
            Duration.ofSeconds(12),
            64,
            1 << 12,
            1);
    this.watch = new Watch();
    this.ranks = new SimulatedRank[script.world()];
  }

  /** Runs a job to its end. */
  public static Outcome run(Script script, Faults faults, long seed) {
    return new Simulation(script, faults, seed, false).run();
  }

  /** Runs a job to its end and keeps the log. */
  public static Outcome runLogged(Script script, Faults faults, long seed) {
    return new Simulation(script, faults, seed, true).run();
  }

  private Outcome run() {
    startCoordinator();
    for (int i = 0; i < faults.coordinatorCrashes(); i++) {
      after((long) (random.nextDouble() * 3e9), this::crashCoordinator);
    }
    startRanks();
    while (!events.isEmpty()) {
      Event event = Objects.requireNonNull(events.poll());
      if (event.at > END) {
        watch.violate("the job has not ended after " + Duration.ofNanos(END));
        break;
      }
      now = event.at;
      event.what.run();
      tickCoordinator();
      if (allDone()) {
        break;
      }
    }
    for (SimulatedRank rank : ranks) {
      rank.checkNothingWaits(watch);
    }
    watch.check(given);
    return new Outcome(
        ImmutableList.copyOf(given), watch.violations(), ImmutableList.copyOf(lines));
  }

  private boolean allDone() {
    for (SimulatedRank rank : ranks) {
      if (!rank.done()) {
        return false;
      }
    }
    return true;
  }

  private void startRanks() {
    for (int rank = 0; rank < ranks.length; rank++) {
      ranks[rank] = new SimulatedRank(this, rank, epoch, script);
      ranks[rank].start();
    }
  }

  private void startCoordinator() {
    CoordinatorOptions mine =
        new CoordinatorOptions(
            options.job(),
            options.token(),
            options.world(),
            options.deadline(),
            options.roundLimit(),
            options.grace(),
            options.silence(),
            options.mostPending(),
            options.mostDefinitions(),
            1 + 1_000_000L * coordinators++);
    coordinator = new Coordinator(mine, new ToRanks(), new Listener());
    log("coordinator " + coordinators + " starts");
  }

  private void crashCoordinator() {
    if (coordinator == null) {
      return;
    }
    log("coordinator is lost");
    coordinator = null;
    coordinatorTickAt = Long.MAX_VALUE;
    for (SimulatedLink link : ImmutableList.copyOf(links.values())) {
      link.cut();
    }
    links.clear();
    after(random.nextInt(2_000_000_000), this::startCoordinator);
  }

  private void tickCoordinator() {
    Coordinator present = coordinator;
    if (present == null) {
      return;
    }
    long next = present.tick(now);
    if (next < coordinatorTickAt || coordinatorTickAt <= now) {
      coordinatorTickAt = next;
      at(next, () -> {});
    }
  }

  void restartJob() {
    epoch++;
    log("the job restarts in epoch " + epoch);
    for (SimulatedRank rank : ranks) {
      rank.kill();
    }
    startRanks();
  }

  // What ranks and links use.

  Random random() {
    return random;
  }

  Faults faults() {
    return faults;
  }

  long now() {
    return now;
  }

  @Nullable Coordinator coordinator() {
    return coordinator;
  }

  Map<Link, SimulatedLink> links() {
    return links;
  }

  Watch watch() {
    return watch;
  }

  void at(long time, Runnable what) {
    if (time != Long.MAX_VALUE) {
      events.add(new Event(Math.max(now, time), eventNumber++, what));
    }
  }

  void after(long nanos, Runnable what) {
    at(now + nanos, what);
  }

  boolean chance(int perThousand) {
    return perThousand > 0 && random.nextInt(1000) < perThousand;
  }

  void give(Outcome.Given one) {
    given.add(one);
    log(
        "rank "
            + one.rank()
            + " step "
            + one.step()
            + " "
            + one.program().name()
            + ": "
            + one.verdict().kind()
            + " ("
            + one.verdict().text()
            + ")");
  }

  void log(String line) {
    if (logging) {
      lines.add(String.format("%10.3f ms  %s", now / 1e6, line));
    }
  }

  /** What the coordinator says goes out on the link it names. */
  private final class ToRanks implements CoordinatorOutput {
    private void send(Link link, Runnable what) {
      SimulatedLink simulated = links.get(link);
      if (simulated != null) {
        simulated.toRank(what);
      }
    }

    private SimulatedRank speaker(Link link) {
      return Objects.requireNonNull(links.get(link)).rank();
    }

    @Override
    public void welcome(Link link, Hello hello, long nextSequence) {
      send(link, () -> speaker(link).heard(nextSequence));
    }

    @Override
    public void heard(Link link, int rank, long nextSequence) {
      send(link, () -> speaker(link).heard(nextSequence));
    }

    @Override
    public void refuse(Link link, int rank, long incarnation, Refusal refusal) {
      send(link, () -> speaker(link).turnedAway(refusal));
    }

    @Override
    public void answer(Link link, int rank, long sequence, Verdict verdict) {
      send(link, () -> speaker(link).answered(sequence, verdict));
    }

    @Override
    public void notice(Link link, int rank, Verdict verdict) {
      send(link, () -> speaker(link).noticed(verdict));
    }
  }

  private final class Listener implements CoordinatorListener {
    @Override
    public void decided(RankList participants, Verdict verdict, long nanos) {
      log("round " + verdict.round() + " of " + participants + ": " + verdict.kind());
    }

    @Override
    public void lost(int rank, String why) {
      log("rank " + rank + " is lost: " + why);
    }
  }
}
