package dev.lockstep.pass.region.split;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Set;

/** Values from outside that the regions of an operation use. */
final class Captures {
  private final Set<Value> inside = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Value> captured = new LinkedHashSet<>();

  private Captures() {}

  /** Returns them, each once, in the order of their first uses. */
  static ImmutableList<Value> of(Operation operation) {
    if (operation.regions().isEmpty()) {
      return ImmutableList.of();
    }
    Captures captures = new Captures();
    captures.regions(operation);
    return ImmutableList.copyOf(captures.captured);
  }

  private void regions(Operation operation) {
    for (Region region : operation.regions()) {
      for (Block block : region.blocks()) {
        inside.addAll(block.arguments());
        for (Operation inner : block.operations()) {
          inner.operands().stream().filter(v -> !inside.contains(v)).forEach(captured::add);
          regions(inner);
          inside.addAll(inner.results());
        }
      }
    }
  }
}
