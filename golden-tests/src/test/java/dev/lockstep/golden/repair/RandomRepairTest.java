package dev.lockstep.golden.repair;

import static org.assertj.core.api.Assertions.fail;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.region.repair.RepairOptions;
import dev.lockstep.pass.region.repair.RepairOptions.Literals;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RandomRepairTest {
  /** How many sets; -Drepair.random=N for more. */
  private static final int COUNT = Integer.getInteger("repair.random", 400);

  /** Sets that differ in data become one text, which computes the same on every rank. */
  @Test
  void randomSets_areRepairedAndComputeTheSame() {
    for (int i = 0; i < COUNT; i++) {
      long seed = 1000L + i;
      int world = 2 + i % 3;
      List<String> texts = RandomRanks.of(seed, world);
      RepairOptions options =
          i % 4 == 3
              ? new RepairOptions(Literals.INPUT, 0)
              : i % 4 == 2 ? new RepairOptions(Literals.AUTO, 48) : RepairOptions.DEFAULT;
      try {
        ImmutableList<Module> ranks = RepairCheck.read(texts);
        RepairCheck.repaired(ranks, new DeviceGrid(world, 1), options, seed);
      } catch (AssertionError | RuntimeException e) {
        fail("seed " + seed + ", world " + world + ": " + e + "\n" + String.join("\n", texts), e);
      }
    }
  }
}
