package dev.lockstep.pass.region.shards;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.data.Slice;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Slices that cut uneven tensors, or cut tensors to uneven ones: the largest rank's slice; where
 * starts differ, a dynamic slice of a tensor that is long enough for all.
 */
final class ShardSliceRule implements MergeRule {
  static final ShardSliceRule INSTANCE = new ShardSliceRule();

  private static final ImmutableSet<String> KEYS =
      ImmutableSet.of("slice", "start_indices", "limit_indices", "strides");

  private ShardSliceRule() {}

  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    return operation.is(Slice.DEF)
        && !operation.isUniform()
        && KEYS.containsAll(Differences.of(operation));
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    AlignedValue operand = operation.operand(0);
    TensorType from = merge.sizes().tensor(operand);
    TensorType to = merge.sizes().tensor(operation.result());
    int rank = to.rank();
    long[] strides = new long[rank];
    long[] spans = new long[rank];
    long[] missing = new long[rank];
    List<long[]> starts = new ArrayList<>();
    boolean moves = false;
    for (int d = 0; d < rank; d++) {
      strides[d] = stride(operation, d, to.dim(d), merge);
      spans[d] = to.dim(d) == 0 ? 0 : (to.dim(d) - 1) * strides[d] + 1;
      long[] start = starts(operation, d);
      checkSums(operation, d, start, merge);
      starts.add(start);
      moves |= Arrays.stream(start).distinct().count() > 1;
      long last = Arrays.stream(start).max().orElse(0) + spans[d];
      missing[d] = Math.max(0, last - from.dim(d));
    }
    return ImmutableList.of(
        cut(merge.value(operand), starts, spans, strides, missing, moves, merge));
  }

  private static Value cut(
      Value value,
      List<long[]> starts,
      long[] spans,
      long[] strides,
      long[] missing,
      boolean moves,
      BlockMerge merge) {
    OpBuilder builder = merge.builder();
    int rank = spans.length;
    TensorType type = (TensorType) value.type();
    Value whole = value;
    if (Arrays.stream(missing).anyMatch(count -> count > 0)) {
      Value zero = builder.constant(Literal.zeros(TensorType.of(type.element())));
      whole = builder.pad(value, zero, new long[rank], missing);
    }
    long[] begin = new long[rank];
    if (moves) {
      List<Value> indices = new ArrayList<>();
      starts.forEach(start -> indices.add(merge.tables().number(start, ShardMask.INDEX, builder)));
      whole = builder.dynamicSlice(whole, indices, spans);
    } else {
      for (int d = 0; d < rank; d++) {
        begin[d] = starts.get(d)[0];
      }
    }
    long[] limit = new long[rank];
    for (int d = 0; d < rank; d++) {
      limit[d] = begin[d] + spans[d];
    }
    boolean all =
        Arrays.equals(limit, ((TensorType) whole.type()).dims().toArray())
            && Arrays.stream(begin).allMatch(start -> start == 0)
            && Arrays.stream(strides).allMatch(step -> step == 1);
    return all ? whole : builder.slice(whole, begin, limit, strides);
  }

  private static long[] starts(AlignedOp operation, int dim) {
    long[] out = new long[operation.operations().size()];
    boolean reads = false;
    for (int k = 0; k < out.length; k++) {
      out[k] = Slice.START.get(operation.operations().get(k)).get(dim);
      reads |= operation.result().tensor(k).dim(dim) > 0;
    }
    // A slice of nothing may start anywhere, so it need not be told from the others.
    for (int k = 0; k < out.length && reads; k++) {
      if (operation.result().tensor(k).dim(dim) == 0) {
        out[k] = firstReading(operation, dim);
      }
    }
    return out;
  }

  private static long firstReading(AlignedOp operation, int dim) {
    for (int k = 0; k < operation.operations().size(); k++) {
      if (operation.result().tensor(k).dim(dim) > 0) {
        return Slice.START.get(operation.operations().get(k)).get(dim);
      }
    }
    return 0;
  }

  private static long stride(AlignedOp operation, int dim, long size, BlockMerge merge) {
    long found = 0;
    for (int k = 0; k < operation.operations().size(); k++) {
      Operation each = operation.operations().get(k);
      ImmutableLongArray strides = Slice.STRIDES.find(each);
      long stride = strides == null ? 1 : strides.get(dim);
      if (operation.result().tensor(k).dim(dim) > 1) {
        if (found != 0 && found != stride) {
          throw merge.refusal(
              "repair-attribute",
              "slice differs between ranks in its strides, which no op takes at run time",
              operation);
        }
        found = stride;
      }
    }
    return size > 1 && found != 0 ? found : 1;
  }

  /** A size that stands for a sum may be cut from its front only, to one that does not differ. */
  private static void checkSums(AlignedOp operation, int dim, long[] start, BlockMerge merge) {
    boolean fromSum = merge.sizes().isSum(operation.operand(0).sizes(dim));
    boolean toSum = merge.sizes().isSum(operation.result().sizes(dim));
    boolean whole =
        fromSum && toSum && operation.operand(0).sizes(dim).equals(operation.result().sizes(dim));
    boolean alike = Arrays.stream(start).distinct().count() == 1;
    long fits = merge.sizes().size(operation.operand(0).sizes(dim)) - start[0];
    boolean front =
        fromSum && !toSum && alike && merge.sizes().size(operation.result().sizes(dim)) <= fits;
    if ((fromSum || toSum) && !whole && !front) {
      throw merge.refusal(
          "repair-shape",
          "slice cuts dimension " + dim + ", whose size is right on no rank, by a rank's own count",
          operation);
    }
  }
}
