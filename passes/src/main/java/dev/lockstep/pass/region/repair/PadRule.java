package dev.lockstep.pass.region.repair;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.data.Pad;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Paddings by amounts that differ: the operand is written into a tensor full of the padding value,
 * at an index from a table. Amounts that cut make it a larger padding of which a table says the
 * part.
 */
final class PadRule implements MergeRule {
  static final PadRule INSTANCE = new PadRule();

  private static final ImmutableSet<String> KEYS =
      ImmutableSet.of("padding", "edge_padding_low", "edge_padding_high", "interior_padding");

  private PadRule() {}

  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    return operation.is(Pad.DEF) && operation.isUniform() && Differences.isOnly(operation, KEYS);
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    TensorType result = operation.result().tensor(0);
    int rank = result.rank();
    List<Integer> moving = new ArrayList<>();
    boolean cuts = false;
    for (int d = 0; d < rank; d++) {
      long[] low = Edges.of(operation, Pad.LOW, d);
      if (!Edges.isEqual(Edges.of(operation, Pad.INTERIOR, d))) {
        throw merge.refusal(
            "repair-attribute",
            "pad differs between ranks in its interior amounts, which no op takes at run time",
            operation);
      }
      if (!Edges.isEqual(low)) {
        moving.add(d);
        cuts |= Edges.min(low) < 0 || Edges.min(Edges.of(operation, Pad.HIGH, d)) < 0;
      }
    }
    Value made = cuts ? window(operation, merge, moving) : written(operation, merge, moving);
    List<String> amounts = new ArrayList<>();
    for (int d : moving) {
      amounts.add(
          "dimension "
              + d
              + " "
              + Arrays.toString(merge.classes().byRank(Edges.of(operation, Pad.LOW, d))));
    }
    merge.step(
        "padding",
        "padding in front depends on the rank, "
            + shorten(String.join(", ", amounts))
            + ": "
            + (cuts ? "a part of a wider padding" : "written into the padding value")
            + " at an index from a table",
        operation);
    return ImmutableList.of(made);
  }

  static String shorten(String text) {
    int most = 120;
    return text.length() <= most ? text : text.substring(0, most) + " ...";
  }

  private static long[] amounts(
      AlignedOp operation, AttrKey<ImmutableLongArray> key, List<Integer> moving, boolean largest) {
    long[] out = key.get(operation.base()).toArray();
    for (int d : moving) {
      out[d] = largest ? Edges.max(Edges.of(operation, key, d)) : 0;
    }
    return out;
  }

  private static Value written(AlignedOp operation, BlockMerge merge, List<Integer> moving) {
    OpBuilder builder = merge.builder();
    TensorType result = operation.result().tensor(0);
    Value operand = merge.value(operation.operand(0));
    Value filler = merge.value(operation.operand(1));
    long[] low = amounts(operation, Pad.LOW, moving, false);
    long[] high = amounts(operation, Pad.HIGH, moving, false);
    long[] interior = Pad.INTERIOR.get(operation.base()).toArray();
    boolean pads = any(low) || any(high) || any(interior);
    Value core = pads ? builder.pad(operand, filler, low, high, interior) : operand;
    Value full = builder.broadcastInDim(filler, result.withDims(result.dims().toArray()));
    return builder.dynamicUpdateSlice(full, core, starts(operation, merge, moving, false));
  }

  private static Value window(AlignedOp operation, BlockMerge merge, List<Integer> moving) {
    OpBuilder builder = merge.builder();
    Value wide =
        builder.pad(
            merge.value(operation.operand(0)),
            merge.value(operation.operand(1)),
            amounts(operation, Pad.LOW, moving, true),
            amounts(operation, Pad.HIGH, moving, true),
            Pad.INTERIOR.get(operation.base()).toArray());
    long[] sizes = operation.result().tensor(0).dims().toArray();
    return builder.dynamicSlice(wide, starts(operation, merge, moving, true), sizes);
  }

  /** Returns where the operand goes, or, as a window on the widest padding, where to look. */
  private static List<Value> starts(
      AlignedOp operation, BlockMerge merge, List<Integer> moving, boolean asWindow) {
    List<long[]> starts = new ArrayList<>();
    for (int d = 0; d < operation.result().tensor(0).rank(); d++) {
      long[] low = new long[operation.operations().size()];
      if (moving.contains(d)) {
        low = Edges.of(operation, Pad.LOW, d);
        long most = Edges.max(low);
        for (int k = 0; k < low.length && asWindow; k++) {
          low[k] = most - low[k];
        }
      }
      starts.add(low);
    }
    return Edges.starts(starts, merge);
  }

  private static boolean any(long[] amounts) {
    return Arrays.stream(amounts).anyMatch(amount -> amount != 0);
  }
}
