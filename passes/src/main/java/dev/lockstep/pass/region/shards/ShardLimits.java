package dev.lockstep.pass.region.shards;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Sizes;
import java.util.Arrays;

/** How far into a padded tensor a part may begin, so that it stays within a rank's own elements. */
final class ShardLimits {
  /**
   * A part along one dimension.
   *
   * @param size the size for all ranks
   * @param lastStart the last index at which it may begin, for each class
   * @param isLimited whether the padded tensor alone would let it begin later on some rank
   */
  record Part(long size, long[] lastStart, boolean isLimited) {}

  private ShardLimits() {}

  /**
   * Returns the part of {@code operand} along {@code dim} that has {@code sizes} in the classes:
   * the whole dimension on every rank, or one size on all.
   */
  static Part part(
      AlignedOp operation, AlignedValue operand, int dim, long[] sizes, BlockMerge merge) {
    ImmutableLongArray written = operand.sizes(dim);
    ImmutableLongArray own = merge.sizes().valid(written);
    long[] last = new long[sizes.length];
    if (written.equals(ImmutableLongArray.copyOf(sizes))) {
      return new Part(merge.sizes().size(written), last, false);
    }
    boolean same = Arrays.stream(sizes).allMatch(size -> size == sizes[0]);
    if (!same || merge.sizes().isSum(written)) {
      throw merge.refusal(
          "repair-shape",
          operation.def().shortName()
              + " takes parts of different sizes along dimension "
              + dim
              + ", which is uneven",
          operation);
    }
    for (int k = 0; k < last.length; k++) {
      last[k] = own.get(k) - sizes[0];
    }
    return new Part(sizes[0], last, !Sizes.isEqual(own));
  }
}
