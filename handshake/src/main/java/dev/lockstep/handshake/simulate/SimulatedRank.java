package dev.lockstep.handshake.simulate;

import dev.lockstep.handshake.client.ClientOptions;
import dev.lockstep.handshake.client.ClientOutput;
import dev.lockstep.handshake.client.RankClient;
import dev.lockstep.handshake.coordinator.Coordinator;
import dev.lockstep.handshake.coordinator.Link;
import dev.lockstep.handshake.protocol.Ask;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Verdict;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One rank's process: works through its script, waiting for each verdict. */
final class SimulatedRank implements ClientOutput {
  private static final Hello.Versions VERSIONS =
      new Hello.Versions(1, "simulated-1", "simulated", "");

  private final Simulation simulation;
  private final int number;
  private final long epoch;
  private final Script script;
  private final RankClient client;
  private @Nullable SimulatedLink link;
  private boolean alive = true;
  private int step;
  private boolean waiting;
  private long waitingFor = -1;
  private long askedAt;
  private long before;
  private boolean stopped;
  private long tickAt = Long.MAX_VALUE;

  SimulatedRank(Simulation simulation, int number, long epoch, Script script) {
    this.simulation = simulation;
    this.number = number;
    this.epoch = epoch;
    this.script = script;
    this.client =
        new RankClient(
            ClientOptions.of(
                "simulated",
                "",
                epoch,
                number,
                script.world(),
                simulation.random().nextLong(),
                script.stage(),
                VERSIONS),
            this,
            simulation.now());
  }

  int number() {
    return number;
  }

  void start() {
    tick();
    next();
  }

  boolean done() {
    return !alive || stopped || step >= script.ranks().get(number).size() && !waiting;
  }

  void kill() {
    alive = false;
    if (link != null) {
      link.cut();
    }
  }

  private void tick() {
    if (!alive) {
      return;
    }
    long next = client.tick(simulation.now());
    if (next < tickAt || tickAt <= simulation.now()) {
      tickAt = next;
      simulation.at(next, this::tick);
    }
  }

  private void next() {
    if (done()) {
      return;
    }
    Script.Step mine = script.ranks().get(number).get(step);
    long half = mine.prepare() / 2;
    if (mine.telling()) {
      simulation.after(
          half,
          () -> {
            if (alive && !stopped) {
              client.progress("compiling " + mine.program().name(), simulation.now());
            }
          });
    }
    simulation.after(mine.prepare(), () -> perform(mine));
  }

  private void perform(Script.Step mine) {
    if (!alive || stopped) {
      return;
    }
    if (simulation.chance(simulation.faults().crash())) {
      simulation.log("rank " + number + " crashes");
      kill();
      if (simulation.chance(simulation.faults().restart())) {
        simulation.after(simulation.random().nextInt(1_000_000_000), simulation::restartJob);
      }
      return;
    }
    before = simulation.watch().issued(epoch, number, mine.program());
    askedAt = simulation.now();
    if (mine.eager()) {
      client.eager(mine.program(), simulation.now());
      step++;
      next();
    } else {
      waiting = true;
      waitingFor = Long.MAX_VALUE;
      waitingFor = client.run(mine.program(), simulation.now());
    }
    tick();
  }

  void checkNothingWaits(Watch watch) {
    if (alive && waiting && !stopped) {
      watch.violate("rank " + number + " waits for ever in step " + step);
    }
  }

  // From the coordinator.

  void linkLost(SimulatedLink lost) {
    if (link == lost) {
      link = null;
      if (alive) {
        client.disconnected("", simulation.now());
        tick();
      }
    }
  }

  void heard(long nextSequence) {
    deliver(() -> client.heard(nextSequence, simulation.now()));
  }

  void turnedAway(Refusal refusal) {
    deliver(() -> client.refused(refusal, simulation.now()));
  }

  void answered(long sequence, Verdict verdict) {
    deliver(() -> client.answered(sequence, verdict, simulation.now()));
  }

  void noticed(Verdict verdict) {
    deliver(() -> client.noticed(verdict, simulation.now()));
  }

  private void deliver(Runnable what) {
    if (alive) {
      what.run();
      tick();
    }
  }

  // From the client.

  @Override
  public void connect() {
    Coordinator coordinator = simulation.coordinator();
    if (coordinator == null) {
      simulation.after(
          1_000_000,
          () -> {
            if (alive) {
              client.disconnected("", simulation.now());
              tick();
            }
          });
      return;
    }
    simulation.after(
        1_000_000,
        () -> {
          if (!alive) {
            return;
          }
          Coordinator present = simulation.coordinator();
          if (present == null) {
            client.disconnected("", simulation.now());
          } else {
            link = new SimulatedLink(simulation, this, present);
            client.connected(simulation.now());
          }
          tick();
        });
  }

  private void send(Consumer<Link> message) {
    SimulatedLink present = link;
    if (present != null) {
      present.toCoordinator(() -> message.accept(present.link()));
    }
  }

  @Override
  public void hello(Hello hello) {
    SimulatedLink present = link;
    send(to -> coordinator(present).hello(to, hello, simulation.now()));
  }

  @Override
  public void defineGroup(int index, RankList group) {
    SimulatedLink present = link;
    send(to -> coordinator(present).defineGroup(to, index, group));
  }

  @Override
  public void defineProgram(int index, ProgramSummary program, String name) {
    SimulatedLink present = link;
    send(to -> coordinator(present).defineProgram(to, index, program, name));
  }

  @Override
  public void ask(Ask ask) {
    SimulatedLink present = link;
    send(to -> coordinator(present).ask(to, number, ask, simulation.now()));
    if (simulation.chance(simulation.faults().duplicate())) {
      send(to -> coordinator(present).ask(to, number, ask, simulation.now()));
    }
  }

  @Override
  public void alive(long progress, String doing) {
    SimulatedLink present = link;
    send(to -> coordinator(present).alive(to, number, progress, doing, simulation.now()));
  }

  @Override
  public void leave() {
    SimulatedLink present = link;
    send(to -> coordinator(present).leave(to, number, simulation.now()));
  }

  private static Coordinator coordinator(@Nullable SimulatedLink link) {
    if (link == null) {
      throw new IllegalStateException("a message without a link");
    }
    return link.coordinator();
  }

  @Override
  public void verdict(long sequence, Verdict verdict) {
    if (!waiting || waitingFor != Long.MAX_VALUE && waitingFor != sequence) {
      simulation.watch().violate("rank " + number + " is answered twice: " + sequence);
      return;
    }
    waiting = false;
    Script.Step mine = script.ranks().get(number).get(step);
    simulation.give(
        new Outcome.Given(
            epoch,
            number,
            step,
            mine.program(),
            before,
            verdict,
            waitingFor == Long.MAX_VALUE,
            simulation.now() - askedAt));
    if (verdict.kind().runs()) {
      step++;
      next();
    } else {
      stop();
    }
  }

  private void stop() {
    // A program that may not run ends its process, and with it the connection.
    stopped = true;
    simulation.after(
        1,
        () -> {
          client.leave();
          kill();
        });
  }

  @Override
  public void notice(Verdict verdict) {
    simulation.log("rank " + number + " is told: " + verdict.text());
  }

  @Override
  public void refused(Refusal refusal) {
    simulation.log("rank " + number + " is refused: " + refusal);
    stopped = true;
  }

  @Override
  public void disconnect() {
    SimulatedLink present = link;
    link = null;
    if (present != null) {
      present.cut();
    }
  }
}
