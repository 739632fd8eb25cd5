package dev.lockstep.pass.canonical;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.pass.analysis.Mentions;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
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
   * Does as {@link Operation#mapBlocks}, but takes the later blocks of a region, which may use
   * values of the others, first.
   */
  static Operation mapBlocksBackwards(Operation operation, UnaryOperator<Block> change) {
    Map<Block, Block> changed = new IdentityHashMap<>();
    for (Region region : operation.regions()) {
      region.blocks().reverse().forEach(block -> changed.put(block, change.apply(block)));
    }
    return operation.mapBlocks(block -> requireNonNull(changed.get(block)));
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
