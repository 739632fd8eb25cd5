package dev.lockstep.pass.region.repair;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.data.Slice;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Slices of one size that start elsewhere on each rank: a dynamic slice with starts from a table,
 * all of which are in range, so that nothing is clamped; steps follow as a slice of that.
 */
final class SliceRule implements MergeRule {
  static final SliceRule INSTANCE = new SliceRule();

  private static final ImmutableSet<String> KEYS =
      ImmutableSet.of("slice", "start_indices", "limit_indices", "strides");

  private SliceRule() {}

  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    return operation.is(Slice.DEF) && operation.isUniform() && Differences.isOnly(operation, KEYS);
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    TensorType operand = operation.operand(0).tensor(0);
    TensorType result = operation.result().tensor(0);
    int rank = result.rank();
    long[] spans = new long[rank];
    long[] strides = new long[rank];
    List<long[]> starts = new ArrayList<>();
    List<String> words = new ArrayList<>();
    for (int d = 0; d < rank; d++) {
      long[] steps = strides(operation, d);
      long[] start = Edges.of(operation, Slice.START, d);
      if (!Edges.isEqual(steps) && result.dim(d) > 1) {
        throw merge.refusal(
            "repair-attribute",
            "slice differs between ranks in its strides, which no op takes at run time",
            operation);
      }
      strides[d] = steps[0];
      spans[d] = result.dim(d) == 0 ? 0 : (result.dim(d) - 1) * steps[0] + 1;
      if (!Edges.isEqual(start)) {
        words.add("dimension " + d + " " + Arrays.toString(merge.classes().byRank(start)));
      }
      starts.add(spans[d] == operand.dim(d) ? new long[start.length] : start);
    }
    OpBuilder builder = merge.builder();
    Value value = merge.value(operation.operand(0));
    Value part = builder.dynamicSlice(value, Edges.starts(starts, merge), spans);
    boolean steps = !Arrays.equals(spans, result.dims().toArray());
    Value made = steps ? builder.slice(part, new long[rank], spans, strides) : part;
    if (!words.isEmpty()) {
      merge.step(
          "slice",
          "the start depends on the rank, "
              + PadRule.shorten(String.join(", ", words))
              + ": a dynamic slice with starts from a table",
          operation);
    }
    return ImmutableList.of(made);
  }

  private static long[] strides(AlignedOp operation, int dim) {
    long[] out = new long[operation.operations().size()];
    for (int k = 0; k < out.length; k++) {
      Operation each = operation.operations().get(k);
      ImmutableLongArray strides = Slice.STRIDES.find(each);
      out[k] = strides == null ? 1 : strides.get(dim);
    }
    return out;
  }
}
