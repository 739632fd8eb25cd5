package dev.lockstep.pass.canonical;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.pass.analysis.Mentions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The way of a pass down to blocks, on which only what changed is made anew. */
final class BlockWalk {
  private BlockWalk() {}

  /** Returns {@code module} with each function changed, the same object where none was. */
  static Module functions(Module module, UnaryOperator<Operation> change) {
    boolean changed = false;
    ImmutableList.Builder<Operation> out = ImmutableList.builder();
    for (Operation top : module.operations()) {
      Operation after = top.is(BuiltinOps.FUNC) ? change.apply(top) : top;
      changed |= after != top;
      out.add(after);
    }
    return changed ? module.withOperations(out.build()) : module;
  }

  /**
   * Returns {@code operation} with each block of its regions changed, the same object where none
   * was.
   *
   * @param backwards whether the later blocks of a region, which may use values of the others, are
   *     taken first
   */
  static Operation blocks(Operation operation, boolean backwards, UnaryOperator<Block> change) {
    boolean changed = false;
    ImmutableList.Builder<Region> regions = ImmutableList.builder();
    for (Region region : operation.regions()) {
      boolean regionChanged = false;
      List<Block> order = backwards ? region.blocks().reverse() : region.blocks();
      ImmutableList.Builder<Block> blocks = ImmutableList.builder();
      for (Block block : order) {
        Block after = change.apply(block);
        regionChanged |= after != block;
        blocks.add(after);
      }
      changed |= regionChanged;
      ImmutableList<Block> all = blocks.build();
      regions.add(regionChanged ? new Region(backwards ? all.reverse() : all) : region);
    }
    return changed ? operation.withRegions(regions.build()) : operation;
  }

  /** Returns the names that control dependencies of {@code block} mention. */
  static Set<String> ordered(Block block) {
    Set<String> out = new HashSet<>();
    for (Operation operation : block.operations()) {
      if (operation.attribute("control-predecessors") != null) {
        out.addAll(Mentions.ofAttributes(operation));
      }
    }
    return out;
  }
}
