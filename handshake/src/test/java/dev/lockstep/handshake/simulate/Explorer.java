package dev.lockstep.handshake.simulate;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.client.ClientOptions;
import dev.lockstep.handshake.client.ClientOutput;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.client.RankClient;
import dev.lockstep.handshake.coordinator.Coordinator;
import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.coordinator.CoordinatorOptions;
import dev.lockstep.handshake.coordinator.CoordinatorOutput;
import dev.lockstep.handshake.coordinator.Link;
import dev.lockstep.handshake.protocol.Ask;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.Verdict;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every order in which the messages of a small job can arrive, with up to a number of broken
 * connections and lost coordinators at every point: each run is replayed from its choices.
 */
final class Explorer {
  private final ImmutableList<ImmutableList<Program>> ranks;
  private final int mostFaults;
  private final List<Integer> choices = new ArrayList<>();
  private final List<Integer> widths = new ArrayList<>();
  private int depth;
  private long runs;
  private final List<String> violations = new ArrayList<>();

  Explorer(ImmutableList<ImmutableList<Program>> ranks, int mostFaults) {
    this.ranks = ranks;
    this.mostFaults = mostFaults;
  }

  /** Runs all orders and returns how many there are. */
  long explore() {
    do {
      depth = 0;
      new Run().go();
      runs++;
    } while (violations.isEmpty() && nextPath());
    return runs;
  }

  List<String> violations() {
    return violations;
  }

  private boolean nextPath() {
    while (!choices.isEmpty()) {
      int last = choices.size() - 1;
      if (choices.get(last) + 1 < widths.get(last)) {
        choices.set(last, choices.get(last) + 1);
        return true;
      }
      choices.remove(last);
      widths.remove(last);
    }
    return false;
  }

  private int choose(int width) {
    if (depth == choices.size()) {
      choices.add(0);
      widths.add(width);
    }
    return choices.get(depth++);
  }

  /** One run: time stands still while messages are on their way. */
  private final class Run implements CoordinatorOutput {
    private final List<Node> nodes = new ArrayList<>();
    private Coordinator coordinator = start(1);
    private long now;
    private int faults;
    private final Watch watch = new Watch();
    private final List<Outcome.Given> given = new ArrayList<>();

    private Coordinator start(long firstRound) {
      CoordinatorOptions usual = CoordinatorOptions.of("explored", ranks.size());
      return new Coordinator(
          new CoordinatorOptions(
              "explored",
              "",
              ranks.size(),
              usual.deadline(),
              usual.roundLimit(),
              usual.grace(),
              Duration.ofHours(2),
              usual.mostPending(),
              usual.mostDefinitions(),
              firstRound),
          this,
          CoordinatorListener.NONE);
    }

    void go() {
      for (int rank = 0; rank < ranks.size(); rank++) {
        nodes.add(new Node(this, rank));
      }
      for (Node node : nodes) {
        node.begin();
      }
      while (true) {
        List<Runnable> possible = new ArrayList<>();
        for (Node node : nodes) {
          if (!node.up.isEmpty()) {
            possible.add(() -> node.up.remove().run());
          }
          if (!node.down.isEmpty()) {
            possible.add(() -> node.down.remove().run());
          }
        }
        if (possible.isEmpty()) {
          if (nodes.stream().allMatch(Node::done)) {
            break;
          }
          if (now > Duration.ofHours(3).toNanos()) {
            watch.violate("someone waits for ever");
            break;
          }
          now += Duration.ofSeconds(1).toNanos();
          coordinator.tick(now);
          nodes.forEach(Node::tick);
          continue;
        }
        if (faults < mostFaults) {
          for (Node node : nodes) {
            if (node.link != null) {
              possible.add(() -> node.cut());
            }
          }
          possible.add(this::loseCoordinator);
        }
        possible.get(possible.size() == 1 ? 0 : choose(possible.size())).run();
      }
      watch.check(given);
      for (String violation : watch.violations()) {
        violations.add(violation + " after choices " + choices);
      }
    }

    private void loseCoordinator() {
      faults++;
      coordinator = start(1000L * faults);
      for (Node node : nodes) {
        node.drop();
      }
    }

    private @Nullable Node node(Link link, int rank) {
      Node node = nodes.get(rank);
      return node.link == link ? node : null;
    }

    private void send(Link link, int rank, java.util.function.Consumer<Node> what) {
      Node node = node(link, rank);
      if (node != null) {
        node.down.add(() -> what.accept(node));
      }
    }

    @Override
    public void welcome(Link link, Hello hello, long nextSequence) {
      // Its arrival changes the time of the last sign of life, and what may be forgotten.
    }

    @Override
    public void heard(Link link, int rank, long nextSequence) {
      // As above.
    }

    @Override
    public void refuse(Link link, int rank, long incarnation, Refusal refusal) {
      send(link, rank, node -> node.client.refused(refusal, now));
    }

    @Override
    public void answer(Link link, int rank, long sequence, Verdict verdict) {
      send(link, rank, node -> node.client.answered(sequence, verdict, now));
    }

    @Override
    public void notice(Link link, int rank, Verdict verdict) {
      send(link, rank, node -> node.client.noticed(verdict, now));
    }
  }

  /** One rank: what it says in one breath arrives as one message. */
  private final class Node implements ClientOutput {
    private final Run run;
    private final int rank;
    private final RankClient client;
    private final ArrayDeque<Runnable> up = new ArrayDeque<>();
    private final ArrayDeque<Runnable> down = new ArrayDeque<>();
    private @Nullable Link link;
    private int step;
    private boolean stopped;
    private boolean waiting;
    private long before;
    private List<Runnable> breath = new ArrayList<>();

    Node(Run run, int rank) {
      this.run = run;
      this.rank = rank;
      this.client =
          new RankClient(
              ClientOptions.of(
                  "explored",
                  "",
                  0,
                  rank,
                  ranks.size(),
                  rank + 1,
                  Stage.DISPATCH,
                  new Hello.Versions(1, "f", "c", "")),
              this,
              0);
    }

    void begin() {
      client.tick(run.now);
      next();
    }

    boolean done() {
      return stopped || step == ranks.get(rank).size() && !waiting;
    }

    void tick() {
      if (!stopped) {
        client.tick(run.now);
      }
    }

    private void next() {
      if (!done()) {
        Program program = ranks.get(rank).get(step);
        before = run.watch.issued(0, rank, program);
        waiting = true;
        client.run(program, run.now);
      }
      flush();
    }

    private void flush() {
      if (!breath.isEmpty()) {
        List<Runnable> all = breath;
        breath = new ArrayList<>();
        up.add(() -> all.forEach(Runnable::run));
      }
    }

    void cut() {
      run.faults++;
      Link lost = link;
      Coordinator known = run.coordinator;
      drop();
      if (lost != null) {
        known.disconnected(lost, run.now);
      }
    }

    void drop() {
      link = null;
      up.clear();
      down.clear();
      client.disconnected("", run.now);
    }

    @Override
    public void connect() {
      link = run.coordinator.connected("rank " + rank);
      client.connected(run.now);
      flush();
    }

    private void say(java.util.function.BiConsumer<Coordinator, Link> what) {
      Link to = link;
      if (to != null) {
        Coordinator coordinator = run.coordinator;
        breath.add(() -> what.accept(coordinator, to));
      }
    }

    @Override
    public void hello(Hello hello) {
      say((coordinator, to) -> coordinator.hello(to, hello, run.now));
    }

    @Override
    public void defineGroup(int number, RankList group) {
      say((coordinator, to) -> coordinator.defineGroup(to, number, group));
    }

    @Override
    public void defineProgram(int number, ProgramSummary program, String name) {
      say((coordinator, to) -> coordinator.defineProgram(to, number, program, name));
    }

    @Override
    public void ask(Ask ask) {
      say((coordinator, to) -> coordinator.ask(to, rank, ask, run.now));
    }

    @Override
    public void alive(long progress, String doing) {
      // Silence is not explored: the limit is longer than the run.
    }

    @Override
    public void leave() {
      say((coordinator, to) -> coordinator.leave(to, rank, run.now));
    }

    @Override
    public void verdict(long sequence, Verdict verdict) {
      if (!waiting) {
        run.watch.violate("rank " + rank + " is answered twice");
      }
      waiting = false;
      run.given.add(
          new Outcome.Given(0, rank, step, ranks.get(rank).get(step), before, verdict, false, 0));
      if (verdict.kind().runs()) {
        step++;
        next();
      } else {
        stopped = true;
      }
    }

    @Override
    public void notice(Verdict verdict) {
      // Nothing follows from it in these jobs.
    }

    @Override
    public void refused(Refusal refusal) {
      run.watch.violate("rank " + rank + " is refused: " + refusal);
      stopped = true;
    }

    @Override
    public void disconnect() {
      run.watch.violate("rank " + rank + " is told of another epoch");
    }
  }
}
