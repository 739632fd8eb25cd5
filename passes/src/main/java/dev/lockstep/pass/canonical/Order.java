package dev.lockstep.pass.canonical;

import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.pass.analysis.Mentions;
import java.util.HashSet;
import java.util.Set;

/** HLO's control dependencies: which instructions others are ordered after by name. */
final class Order {
  private static final String PREDECESSORS = "control-predecessors";

  private final Set<String> named = new HashSet<>();

  Order(Module module) {
    module.operations().forEach(this::collect);
  }

  private void collect(Operation operation) {
    if (operation.attribute(PREDECESSORS) != null) {
      named.addAll(Mentions.ofAttributes(operation));
    }
    for (Region region : operation.regions()) {
      for (Block block : region.blocks()) {
        block.operations().forEach(this::collect);
      }
    }
  }

  /**
   * Returns whether {@code operation} stands between two others, so that its removal would lose
   * their order. One that is only named passes the order on to what replaces it, and one that is
   * only ordered behind others takes its order with it.
   */
  boolean isFixed(Operation operation) {
    if (operation.attribute(PREDECESSORS) == null) {
      return false;
    }
    for (Value result : operation.results()) {
      if (result.name() != null && named.contains(result.name())) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether another operation is ordered behind {@code operation} by name. */
  boolean isNamed(Operation operation) {
    return operation.results().stream()
        .anyMatch(result -> result.name() != null && named.contains(result.name()));
  }
}
