package dev.lockstep.pass.region.shards;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.data.Pad;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;
import java.util.ArrayList;
import java.util.List;

/**
 * Paddings of uneven tensors: what is behind a rank's own elements gets the padding value, and the
 * amount at the end is what the largest rank leaves.
 */
final class ShardPadRule implements MergeRule {
  static final ShardPadRule INSTANCE = new ShardPadRule();

  private static final ImmutableSet<String> KEYS =
      ImmutableSet.of("padding", "edge_padding_low", "edge_padding_high", "interior_padding");

  private ShardPadRule() {}

  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    return operation.is(Pad.DEF)
        && !operation.isUniform()
        && KEYS.containsAll(Differences.of(operation));
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    AlignedValue operand = operation.operand(0);
    TensorType from = merge.sizes().tensor(operand);
    TensorType to = merge.sizes().tensor(operation.result());
    Operation base = operation.base();
    long[] low = Pad.LOW.get(base).toArray();
    long[] high = Pad.HIGH.get(base).toArray();
    long[] interior = Pad.INTERIOR.get(base).toArray();
    List<Integer> masked = new ArrayList<>();
    for (int d = 0; d < to.rank(); d++) {
      if (!isAlike(operation, merge, d)) {
        checkUneven(operation, merge, d);
        boolean pads = false;
        for (Operation each : operation.operations()) {
          pads |= Pad.HIGH.get(each).get(d) > 0;
        }
        if (pads) {
          masked.add(d);
        }
        high[d] = to.dim(d) - low[d] - from.dim(d);
      }
    }
    Value filler = merge.value(operation.operand(1));
    Value own = ShardMask.apply(merge.value(operand), operand, masked, filler, merge);
    boolean changes = !from.dims().equals(to.dims()) || low.length != count(low, 0);
    Value padded = changes ? merge.builder().pad(own, filler, low, high, interior) : own;
    if (!masked.isEmpty()) {
      merge.step(
          "shape",
          "padding that fills up uneven shards: what is behind a rank's own rows is replaced",
          operation);
    }
    return ImmutableList.of(padded);
  }

  private static int count(long[] values, long wanted) {
    int count = 0;
    for (long value : values) {
      count += value == wanted ? 1 : 0;
    }
    return count;
  }

  /** Returns whether sizes and amounts along {@code dim} are the same on all ranks. */
  private static boolean isAlike(AlignedOp operation, BlockMerge merge, int dim) {
    Operation base = operation.base();
    for (Operation each : operation.operations()) {
      if (Pad.LOW.get(each).get(dim) != Pad.LOW.get(base).get(dim)
          || Pad.HIGH.get(each).get(dim) != Pad.HIGH.get(base).get(dim)
          || Pad.INTERIOR.get(each).get(dim) != Pad.INTERIOR.get(base).get(dim)) {
        return false;
      }
    }
    return !merge.sizes().isUneven(operation.operand(0), dim)
        && !merge.sizes().isSum(operation.operand(0).sizes(dim))
        && !merge.sizes().isSum(operation.result().sizes(dim));
  }

  private static void checkUneven(AlignedOp operation, BlockMerge merge, int dim) {
    boolean fits = true;
    Operation base = operation.base();
    for (Operation each : operation.operations()) {
      fits &= Pad.LOW.get(each).get(dim) == Pad.LOW.get(base).get(dim);
      fits &= Pad.INTERIOR.get(each).get(dim) == 0;
    }
    fits &= Pad.LOW.get(base).get(dim) >= 0;
    fits &= !merge.sizes().isSum(operation.operand(0).sizes(dim));
    fits &= !merge.sizes().isSum(operation.result().sizes(dim));
    if (!fits) {
      throw merge.refusal(
          "repair-shape",
          "pad of an uneven dimension "
              + dim
              + " is written for all ranks only when it adds at the end",
          operation);
    }
  }
}
