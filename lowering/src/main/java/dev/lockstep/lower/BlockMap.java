package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import java.util.IdentityHashMap;
import java.util.Map;

/** New blocks for blocks of a module, wherever they stand in it. */
final class BlockMap {
  private final BuildScope scope;
  private final Map<Block, Block> blocks = new IdentityHashMap<>();

  BlockMap(BuildScope scope) {
    this.scope = scope;
  }

  /** Makes {@code now} stand for {@code old}. */
  void put(Block old, Block now) {
    blocks.put(old, now);
  }

  /** Returns {@code module} with the new blocks. */
  Module apply(Module module) {
    return scope.finish(module.mapFunctions(function -> function.withBody(block(function.body()))));
  }

  private Block block(Block old) {
    Block now = blocks.getOrDefault(old, old);
    ImmutableList.Builder<Operation> out = ImmutableList.builder();
    Operation newRoot = now.root();
    boolean changed = false;
    for (Operation operation : now.operations()) {
      Operation inner = operation.mapBlocks(this::block);
      changed |= inner != operation;
      newRoot = operation == now.root() ? inner : newRoot;
      out.add(inner);
    }
    return changed ? now.withOperations(out.build(), newRoot) : now;
  }
}
