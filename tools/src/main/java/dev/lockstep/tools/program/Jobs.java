package dev.lockstep.tools.program;

import com.google.common.collect.ImmutableList;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.tools.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** The programs of all ranks of a job as the analyses of regions take them. */
public final class Jobs {
  private Jobs() {}

  /**
   * Returns the programs of {@code set}.
   *
   * @param partitions the number of partitions where no program says
   * @throws UsageException if the ranks do not fill the partitions
   */
  public static RankPrograms of(ProgramSet set, OptionalInt partitions) {
    set.checkWorld();
    List<ImmutableList<RankPrograms.Program>> ranks = new ArrayList<>();
    for (ImmutableList<ProgramSet.Entry> entries : set.ranks()) {
      ImmutableList.Builder<RankPrograms.Program> programs = ImmutableList.builder();
      for (ProgramSet.Entry entry : entries) {
        programs.add(new RankPrograms.Program(entry.file().name(), entry.module()));
      }
      ranks.add(programs.build());
    }
    try {
      return RankPrograms.of(ranks, partitions);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
