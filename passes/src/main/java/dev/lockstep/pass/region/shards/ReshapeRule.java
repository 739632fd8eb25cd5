package dev.lockstep.pass.region.shards;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.data.Reshape;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;

/**
 * Reshapes of padded tensors. Elements of a rank stay in front as long as the dimension that
 * differs is the outermost of those that are joined or parted: then padding is at the end of the
 * order in which a reshape reads.
 */
final class ReshapeRule implements MergeRule {
  static final ReshapeRule INSTANCE = new ReshapeRule();

  private ReshapeRule() {}

  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    return operation.is(Reshape.DEF)
        && !operation.isUniform()
        && Differences.of(operation).isEmpty()
        && operation.operand(0).isTensor();
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    TensorType from = merge.sizes().tensor(operation.operand(0));
    TensorType to = merge.sizes().tensor(operation.result());
    int i = 0;
    int j = 0;
    while (i < from.rank() || j < to.rank()) {
      int firstFrom = i;
      int firstTo = j;
      long left = i < from.rank() ? from.dim(i++) : 1;
      long right = j < to.rank() ? to.dim(j++) : 1;
      while (left != right) {
        if (left < right && i < from.rank()) {
          left *= from.dim(i++);
        } else if (left > right && j < to.rank()) {
          right *= to.dim(j++);
        } else {
          throw refusal(operation, merge);
        }
      }
      boolean leads =
          onlyLeads(operation.operand(0), firstFrom, i, merge)
              && onlyLeads(operation.result(), firstTo, j, merge);
      if (!leads) {
        throw refusal(operation, merge);
      }
    }
    return merge.copy(operation);
  }

  /** Returns whether no dimension but the first that is not 1 differs, among those given. */
  private static boolean onlyLeads(AlignedValue value, int begin, int end, BlockMerge merge) {
    boolean led = false;
    for (int d = begin; d < end; d++) {
      if (merge.sizes().isUneven(value, d)) {
        if (led) {
          return false;
        }
        led = true;
      } else {
        led |= merge.sizes().tensor(value).dim(d) != 1;
      }
    }
    return true;
  }

  private static RuntimeException refusal(AlignedOp operation, BlockMerge merge) {
    return merge.refusal(
        "repair-shape",
        "reshape joins or parts an uneven dimension that is not the outermost, so padding would"
            + " come to stand between elements",
        operation);
  }
}
