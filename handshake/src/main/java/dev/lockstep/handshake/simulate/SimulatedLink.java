package dev.lockstep.handshake.simulate;

import dev.lockstep.handshake.coordinator.Coordinator;
import dev.lockstep.handshake.coordinator.Link;

/**
 * A connection between a rank and the coordinator: messages of one direction arrive in order, each
 * after some time. When it breaks, each end learns of it after some time; what was on its way to
 * the coordinator is lost or arrives late.
 */
final class SimulatedLink {
  private final Simulation simulation;
  private final SimulatedRank rank;
  private final Coordinator coordinator;
  private final Link link;
  private long lastToCoordinator;
  private long lastToRank;
  private boolean broken;

  SimulatedLink(Simulation simulation, SimulatedRank rank, Coordinator coordinator) {
    this.simulation = simulation;
    this.rank = rank;
    this.coordinator = coordinator;
    this.link = coordinator.connected("simulated rank " + rank.number());
    simulation.links().put(link, this);
  }

  SimulatedRank rank() {
    return rank;
  }

  Link link() {
    return link;
  }

  Coordinator coordinator() {
    return coordinator;
  }

  void toCoordinator(Runnable what) {
    if (broken) {
      return;
    }
    lastToCoordinator = Math.max(lastToCoordinator, simulation.now() + delay());
    boolean late = simulation.chance(500);
    simulation.at(
        lastToCoordinator,
        () -> {
          if (simulation.coordinator() == coordinator && (!broken || late)) {
            what.run();
          }
        });
    maybeCut();
  }

  void toRank(Runnable what) {
    if (broken) {
      return;
    }
    lastToRank = Math.max(lastToRank, simulation.now() + delay());
    simulation.at(
        lastToRank,
        () -> {
          if (!broken) {
            what.run();
          }
        });
    maybeCut();
  }

  private long delay() {
    return 1 + (long) (simulation.random().nextDouble() * simulation.faults().maxDelayNanos());
  }

  private void maybeCut() {
    if (simulation.chance(simulation.faults().cut())) {
      simulation.log("the link of rank " + rank.number() + " breaks");
      cut();
    }
  }

  /** Breaks the connection; both ends learn of it, not at once. */
  void cut() {
    if (broken) {
      return;
    }
    broken = true;
    simulation.after(delay(), () -> rank.linkLost(this));
    simulation.at(
        Math.max(lastToCoordinator, simulation.now()) + delay(),
        () -> {
          if (simulation.coordinator() == coordinator) {
            coordinator.disconnected(link, simulation.now());
          }
          simulation.links().remove(link);
        });
  }
}
