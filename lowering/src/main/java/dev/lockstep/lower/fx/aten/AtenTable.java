package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import org.jspecify.annotations.Nullable;

/** Every operator that is read, by family. */
final class AtenTable {
  /**
   * Operators that belong together.
   *
   * @param title for documentation
   */
  record Family(String title, ImmutableList<AtenOp> ops) {}

  /** All families, in documentation order. */
  static final ImmutableList<Family> FAMILIES =
      ImmutableList.of(
          new Family("Arithmetic", Arithmetic.OPS),
          new Family("Elementwise functions", Elementwise.OPS),
          new Family("Activations", Activations.OPS),
          new Family("Comparisons and choices", Comparisons.OPS),
          new Family("Reductions", Reductions.OPS),
          new Family("Shapes", Shapes.OPS),
          new Family("Products of matrices", Products.OPS),
          new Family("Embeddings", Embeddings.OPS),
          new Family("Collectives", FunctionalCollectives.OPS));

  private static final ImmutableMap<String, AtenOp> BY_NAME = byName();

  private AtenTable() {}

  private static ImmutableMap<String, AtenOp> byName() {
    ImmutableMap.Builder<String, AtenOp> out = ImmutableMap.builder();
    for (Family family : FAMILIES) {
      for (AtenOp op : family.ops()) {
        out.put(op.name(), op);
      }
    }
    return out.buildOrThrow();
  }

  /** Returns the operator called {@code aten.sum.dim_IntList} or the like, or null. */
  static @Nullable AtenOp find(String name) {
    return BY_NAME.get(name);
  }
}
