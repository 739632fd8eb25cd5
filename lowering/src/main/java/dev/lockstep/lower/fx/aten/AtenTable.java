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
          new Family("Gradients of activations", Gradients.OPS),
          new Family("Comparisons and choices", Comparisons.OPS),
          new Family("Reductions", Reductions.OPS),
          new Family("Sums up to each element", Cumulative.OPS),
          new Family("Orders and places", Sorting.OPS),
          new Family("Shapes", Shapes.OPS),
          new Family("Parts", Slices.OPS),
          new Family("Windows and strides", Windows.OPS),
          new Family("Diagonals", Diagonals.OPS),
          new Family("Indexing", Indexing.OPS),
          new Family("Embeddings", Embeddings.OPS),
          new Family("Creation and conversion", Creation.OPS),
          new Family("Complex numbers", ComplexNumbers.OPS),
          new Family("Products of matrices", Products.OPS),
          new Family("Attention", Attention.OPS),
          new Family("Normalisation", Normalization.OPS),
          new Family("Gradients of normalisation", NormGradients.OPS),
          new Family("Convolutions", Convolutions.OPS),
          new Family("Pooling", Pooling.OPS),
          new Family("Resizing", Resizing.OPS),
          new Family("Losses", Losses.OPS),
          new Family("Optimisers", Optimisers.OPS),
          new Family("Lists of tensors", Foreach.OPS),
          new Family("Others in a row", Composites.OPS),
          new Family("Checks, sizes, dropout", Checks.OPS),
          new Family("Collectives", FunctionalCollectives.OPS),
          new Family("Collectives in place", C10d.OPS));

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
