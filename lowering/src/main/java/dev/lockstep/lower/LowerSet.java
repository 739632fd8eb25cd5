package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Lowers the programs of the ranks of one job, which may differ: each names its own group, peers
 * and counts. The calls are matched across ranks first; every rank then has the call of all ranks
 * and is lowered as one text for all ranks is. Where types allow it the texts become equal.
 */
public final class LowerSet {
  private LowerSet() {}

  /**
   * Returns the programs without torch.distributed calls; the same objects when there are none.
   *
   * @param ranks the program of each rank, which is replica * partitions + partition
   * @param context the counts, if given; otherwise ranks are replicas, as many as programs
   * @throws DiagnosticException if the ranks do not meet, or a call is wrong
   */
  public static ImmutableList<Module> lower(List<Module> ranks, LoweringContext context) {
    if (ranks.stream().allMatch(module -> LowerC10d.calls(module).isEmpty())) {
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
    LoweringContext known =
        new LoweringContext(
            OptionalInt.of(replicas), OptionalInt.of(partitions), context.rendezvous());
    List<List<Block>> blocks = blocks(ranks);
    List<ImmutableList<SetStep>> steps = steps(ranks, blocks);
    boolean everywhere =
        steps.stream()
            .flatMap(List::stream)
            .noneMatch(step -> step.first().isP2p() && step.calls().size() < ranks.size());
    ImmutableList.Builder<Module> out = ImmutableList.builder();
    for (Module module : shared(ranks, blocks, steps)) {
      out.add(LowerC10d.lower(module, known, everywhere));
    }
    return out.build();
  }

  /** Returns for each rank its blocks with calls, as many on every rank. */
  private static List<List<Block>> blocks(List<Module> ranks) {
    List<List<Block>> blocks = new ArrayList<>();
    for (Module module : ranks) {
      blocks.add(blocksWithCalls(module));
    }
    int count = blocks.get(0).size();
    for (int rank = 1; rank < ranks.size(); rank++) {
      if (blocks.get(rank).size() != count) {
        throw DiagnosticException.error(
            "c10d-set",
            "rank "
                + rank
                + " has calls in "
                + blocks.get(rank).size()
                + " pieces of code, rank 0 in "
                + count
                + "; calls in functions and loops can be matched only when all ranks have them",
            ranks.get(rank).location());
      }
    }
    return blocks;
  }

  /** Returns the steps of each block. */
  private static List<ImmutableList<SetStep>> steps(List<Module> ranks, List<List<Block>> blocks) {
    List<ImmutableList<SetStep>> steps = new ArrayList<>();
    for (int b = 0; b < blocks.get(0).size(); b++) {
      List<ImmutableList<SetCall>> programs = new ArrayList<>();
      for (int rank = 0; rank < ranks.size(); rank++) {
        programs.add(calls(rank, ranks.size(), blocks.get(rank).get(b)));
      }
      steps.add(SetMatcher.match(programs));
    }
    return steps;
  }

  /** Returns the programs with the calls of all ranks in each. */
  private static ImmutableList<Module> shared(
      List<Module> ranks, List<List<Block>> blocks, List<ImmutableList<SetStep>> steps) {
    ImmutableList.Builder<Module> out = ImmutableList.builder();
    for (int rank = 0; rank < ranks.size(); rank++) {
      BuildScope scope = BuildScope.of(ranks.get(rank));
      BlockMap rewritten = new BlockMap(scope);
      for (int b = 0; b < steps.size(); b++) {
        List<Block> column = new ArrayList<>();
        for (List<Block> of : blocks) {
          column.add(of.get(b));
        }
        rewritten.put(column.get(rank), SetRewriter.rewrite(rank, steps.get(b), scope, column));
      }
      out.add(rewritten.apply(ranks.get(rank)));
    }
    return out.build();
  }

  private static ImmutableList<SetCall> calls(int rank, int world, Block block) {
    ImmutableList.Builder<SetCall> out = ImmutableList.builder();
    for (Operation operation : block.operations()) {
      if (CallReader.isCall(operation)) {
        out.add(SetCall.of(rank, world, operation));
      }
    }
    return out.build();
  }

  /** Returns the entry's block, then all others that have calls of their own, in order. */
  private static List<Block> blocksWithCalls(Module module) {
    List<Block> out = new ArrayList<>();
    Block entry =
        module
            .entryFunction()
            .orElseThrow(
                () ->
                    DiagnosticException.error(
                        "c10d-set", "the program has no entry function", module.location()))
            .body();
    out.add(entry);
    for (Function function : module.functions()) {
      if (!function.isDeclaration()) {
        collect(function.operation().regions(), out);
      }
    }
    return out;
  }

  private static void collect(ImmutableList<Region> regions, List<Block> out) {
    for (Region region : regions) {
      for (Block block : region.blocks()) {
        boolean has = block.operations().stream().anyMatch(CallReader::isCall);
        if (has && !out.contains(block)) {
          out.add(block);
        }
        for (Operation operation : block.operations()) {
          collect(operation.regions(), out);
        }
      }
    }
  }
}
