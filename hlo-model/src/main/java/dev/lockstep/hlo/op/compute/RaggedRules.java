package dev.lockstep.hlo.op.compute;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.TensorRule;

/** Rules about the ragged dimension of ragged_dot, its groups and the result. */
final class RaggedRules {
  private RaggedRules() {}

  private static ImmutableLongArray ragged(TensorRule.Case it) {
    return DimensionRules.of(it, RaggedDot.LHS_RAGGED);
  }

  private static boolean isSound(TensorRule.Case it) {
    return ragged(it).length() == 1
        && DimensionRules.has(it.operand(0), ragged(it).get(0))
        && it.operand(2).rank() > 0;
  }

  private static boolean isFree(TensorRule.Case it) {
    long dim = ragged(it).get(0);
    return !DimensionRules.of(it, RaggedDot.LHS_BATCH).contains(dim)
        && !DimensionRules.of(it, RaggedDot.LHS_CONTRACTING).contains(dim);
  }

  /** One dimension of the left operand is ragged. */
  static void checkRagged(TensorRule.Case it) {
    it.require(ragged(it).length() == 1, "ragged dimensions are %s, there must be one", ragged(it));
  }

  /** Where the ragged dimension is free, and only there, the right operand has one for groups. */
  static void checkGroups(TensorRule.Case it) {
    if (!isSound(it)) {
      return;
    }
    ImmutableLongArray groups = DimensionRules.of(it, RaggedDot.RHS_GROUP);
    int wanted = isFree(it) ? 1 : 0;
    if (it.require(
            groups.length() == wanted, "group dimensions are %s, there must be %d", groups, wanted)
        && wanted == 1
        && DimensionRules.has(it.operand(1), groups.get(0))) {
      long count = it.operand(2).dim(it.operand(2).rank() - 1);
      it.require(
          TensorRule.agree(count, it.operand(1).dim((int) groups.get(0))),
          "there are %d group sizes for groups of %s",
          count,
          it.operand(1));
    }
  }

  /** Group sizes are a vector, or one for each row of what stands before the ragged dimension. */
  static void checkSizes(TensorRule.Case it) {
    if (!isSound(it) || it.operand(2).rank() == 1) {
      return;
    }
    long dim = ragged(it).get(0);
    ImmutableLongArray batch = DimensionRules.of(it, RaggedDot.LHS_BATCH);
    ImmutableLongArray contracting = DimensionRules.of(it, RaggedDot.LHS_CONTRACTING);
    ImmutableLongArray.Builder before = ImmutableLongArray.builder();
    for (int i = 0; i < batch.length() && batch.get(i) != dim; i++) {
      before.add(batch.get(i));
    }
    if (contracting.contains(dim)) {
      for (int i = 0; contracting.get(i) != dim; i++) {
        before.add(contracting.get(i));
      }
    } else if (!batch.contains(dim)) {
      for (int d = 0; d < dim; d++) {
        if (!batch.contains(d) && !contracting.contains(d)) {
          before.add(d);
        }
      }
    }
    ImmutableLongArray dims = before.build();
    boolean fits = it.operand(2).rank() == dims.length() + 1;
    for (int i = 0; fits && i < dims.length(); i++) {
      fits =
          DimensionRules.has(it.operand(0), dims.get(i))
              && it.operand(2).dim(i) == it.operand(0).dim((int) dims.get(i));
    }
    it.require(
        fits,
        "group sizes %s must have dimensions %s of %s before that of the groups",
        it.operand(2),
        dims,
        it.operand(0));
  }

  /** The result has group, batch, free left and free right sizes. */
  static void checkResult(TensorRule.Case it) {
    if (!isSound(it)) {
      return;
    }
    ImmutableLongArray leftBatch = DimensionRules.of(it, RaggedDot.LHS_BATCH);
    ImmutableLongArray rightBatch = DimensionRules.of(it, RaggedDot.RHS_BATCH);
    ImmutableLongArray left = DimensionRules.of(it, RaggedDot.LHS_CONTRACTING);
    ImmutableLongArray right = DimensionRules.of(it, RaggedDot.RHS_CONTRACTING);
    ImmutableLongArray groups = DimensionRules.of(it, RaggedDot.RHS_GROUP);
    ImmutableLongArray.Builder dims = ImmutableLongArray.builder();
    if (left.contains(ragged(it).get(0))) {
      dims.add(it.operand(2).dim(it.operand(2).rank() - 1));
    }
    for (int i = 0; i < leftBatch.length(); i++) {
      if (!DimensionRules.has(it.operand(0), leftBatch.get(i))) {
        return;
      }
      dims.add(it.operand(0).dim((int) leftBatch.get(i)));
    }
    for (int d = 0; d < it.operand(0).rank(); d++) {
      if (!leftBatch.contains(d) && !left.contains(d)) {
        dims.add(it.operand(0).dim(d));
      }
    }
    for (int d = 0; d < it.operand(1).rank(); d++) {
      if (!rightBatch.contains(d) && !right.contains(d) && !groups.contains(d)) {
        dims.add(it.operand(1).dim(d));
      }
    }
    DimensionRules.requireResult(it, 0, dims.build());
  }
}
