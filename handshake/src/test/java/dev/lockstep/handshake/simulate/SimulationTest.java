package dev.lockstep.handshake.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whole jobs under seeded faults; {@code -Plong} runs the full count. */
final class SimulationTest {
  private static final int SEEDS = Integer.getInteger("lockstep.simulations", 500);

  private static Faults faults(long seed) {
    Random random = new Random(seed * 7919);
    return switch ((int) (seed % 5)) {
      case 0 -> Faults.NONE;
      case 1 -> new Faults(50_000_000, 100, 5, 0, 0, 0);
      case 2 -> new Faults(5_000_000, 20, 2, 10, 600, 0);
      case 3 -> new Faults(20_000_000, 50, 3, 0, 0, 1 + random.nextInt(3));
      default -> new Faults(200_000_000, 50, 10, 10, 500, 1);
    };
  }

  @Test
  void whateverFailsNoRoundIsDecidedTwoWaysAndNobodyWaitsForEver() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Script script = Scripts.random(seed, 63);
      Outcome outcome = Simulation.run(script, faults(seed), seed);
      assertThat(outcome.violations()).as("seed %s", seed).isEmpty();
    }
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    for (long seed = 0; seed < 20; seed++) {
      Script script = Scripts.random(seed, 16);
      assertThat(Simulation.runLogged(script, faults(seed), seed))
          .isEqualTo(Simulation.runLogged(script, faults(seed), seed));
    }
  }
}
