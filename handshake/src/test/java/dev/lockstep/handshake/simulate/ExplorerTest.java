package dev.lockstep.handshake.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.protocol.RankList;
import org.junit.jupiter.api.Test;

/** Small jobs in every order of arrival, with a fault at every point. */
final class ExplorerTest {
  private static Program program(String name, int world, int calls) {
    RankList all = RankList.world(world);
    ImmutableList.Builder<Scripts.Call> list = ImmutableList.builder();
    ImmutableList.Builder<String> regions = ImmutableList.builder();
    regions.add("");
    for (int i = 0; i < calls; i++) {
      list.add(new Scripts.Call(all, "all_reduce"));
      regions.add("");
    }
    return Scripts.program(name, all, list.build(), regions.build(), name);
  }

  private static long explore(int faults, ImmutableList<ImmutableList<Program>> ranks) {
    Explorer explorer = new Explorer(ranks, faults);
    long runs = explorer.explore();
    assertThat(explorer.violations()).isEmpty();
    return runs;
  }

  @Test
  void twoRanksWithTwoEqualProgramsAndTwoFaults() {
    ImmutableList<Program> both = ImmutableList.of(program("a", 2, 1), program("b", 2, 1));
    assertThat(explore(2, ImmutableList.of(both, both))).isGreaterThan(1000);
  }

  @Test
  void oneRankBreaksItsProgramInTwo() {
    ImmutableList<Program> whole = ImmutableList.of(program("ab", 2, 2), program("c", 2, 1));
    ImmutableList<Program> broken =
        ImmutableList.of(program("a", 2, 1), program("b", 2, 1), program("c", 2, 1));
    assertThat(explore(1, ImmutableList.of(whole, broken))).isGreaterThan(1000);
  }

  @Test
  void threeRanksWithOneProgram() {
    ImmutableList<Program> one = ImmutableList.of(program("a", 3, 1));
    ImmutableList<Program> other = ImmutableList.of(program("z", 3, 1));
    assertThat(explore(1, ImmutableList.of(one, one, one))).isGreaterThan(100);
    assertThat(explore(1, ImmutableList.of(one, other, one))).isGreaterThan(100);
  }
}
