package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.text.Texts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Lowers the programs of the ranks of one job, which may differ: each names its own group, peers
 * and counts. The calls are matched across ranks first; every rank then has the call of all ranks
 * and is lowered as one text for all ranks is. Where types allow it the texts become equal.
 */
public final class LowerSet {
  private LowerSet() {}

  /**
   * Returns the programs without torch.distributed calls and without XLA's own sends and receives;
   * the same objects when there are none.
   *
   * @param ranks the program of each rank, which is replica * partitions + partition
   * @param context the counts, if given; otherwise ranks are replicas, as many as programs
   * @throws DiagnosticException if the ranks do not meet, or a call is wrong
   */
  public static ImmutableList<Module> lower(List<Module> ranks, LoweringContext context) {
    if (ranks.stream().noneMatch(LowerSet::isNeeded)) {
      return ImmutableList.copyOf(ranks);
    }
    int partitions = context.partitions().orElse(1);
    int replicas = context.replicas().orElse(Math.max(1, ranks.size() / partitions));
    if (replicas * partitions != ranks.size()) {
      throw DiagnosticException.error(
          "c10d-set",
          ranks.size()
              + " programs for "
              + replicas
              + " replicas and "
              + partitions
              + " partitions",
          ranks.get(0).location());
    }
    DeviceGrid grid = new DeviceGrid(replicas, partitions);
    LoweringContext known =
        new LoweringContext(
            OptionalInt.of(replicas), OptionalInt.of(partitions), context.rendezvous());
    ImmutableList<Module> calling = SetTransfers.asCalls(ranks, grid);
    SetMatching matching = SetMatching.of(calling, grid);
    boolean everywhere = matching.isP2pEverywhere();
    Map<String, Module> byText = new HashMap<>();
    ImmutableList.Builder<Module> out = ImmutableList.builder();
    for (int rank = 0; rank < calling.size(); rank++) {
      Module shared = shared(rank, calling.get(rank), matching);
      Module lowered = LowerC10d.lowerReached(shared, known, everywhere);
      // Where ranks came to say the same, they say so to whoever looks at their programs next.
      out.add(byText.computeIfAbsent(Texts.print(lowered), text -> lowered));
    }
    return out.build();
  }

  private static boolean isNeeded(Module module) {
    return !LowerC10d.calls(module).isEmpty() || TransferEnd.isIn(module);
  }

  /** Returns the program of {@code rank} with the calls of all ranks in it. */
  private static Module shared(int rank, Module module, SetMatching matching) {
    BuildScope scope = BuildScope.of(module);
    BlockMap rewritten = new BlockMap(scope);
    matching
        .places(rank)
        .forEach(
            (block, place) ->
                rewritten.put(
                    block, SetRewriter.rewrite(rank, place.steps(), scope, block, place.blocks())));
    return rewritten.apply(module);
  }

  /**
   * Returns the programs of ranks that run several, one after the other, each lowered with those
   * that run beside it.
   *
   * @param ranks for each rank its programs in the order it runs them
   * @param context as for {@link #lower}
   * @throws DiagnosticException if the ranks do not meet, or do so only between programs
   */
  public static ImmutableList<ImmutableList<Module>> lowerPrograms(
      ImmutableList<ImmutableList<Module>> ranks, LoweringContext context) {
    List<List<Module>> out = new ArrayList<>();
    ranks.forEach(programs -> out.add(new ArrayList<>(programs)));
    for (ProgramColumns.Column column : ProgramColumns.of(ranks, LowerSet::isNeeded)) {
      ImmutableList<Module> lowered = column.check(() -> lower(column.modules(), context));
      for (int rank = 0; rank < lowered.size(); rank++) {
        out.get(rank).set(column.places().get(rank), lowered.get(rank));
      }
    }
    return out.stream().map(ImmutableList::copyOf).collect(ImmutableList.toImmutableList());
  }
}
