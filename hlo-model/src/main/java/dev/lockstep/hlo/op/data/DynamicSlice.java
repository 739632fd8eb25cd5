package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.type.TensorType;

/**
 * {@code stablehlo.dynamic_slice}, {@code dynamic-slice} in HLO: cuts a part out at a place given
 * at run time.
 */
public final class DynamicSlice {
  /** Size of the part in each dimension. */
  public static final AttrKey<ImmutableLongArray> SIZES =
      AttrKeys.longs("slice_sizes", "dynamic_slice_sizes");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_slice")
          .hlo("dynamic-slice")
          .summary("Cuts a part out at a place given at run time")
          .attributes(SIZES)
          .takesFirst(1, TypeClass.TENSOR)
          .gives(TypeClass.TENSOR)
          .constraint(
              "C1", "operand and result have elements of one type", TensorRule.sameElement(1))
          .constraint(
              "C2",
              "there is an index for every dimension",
              TensorRule.of(it -> ShapeRules.starts(it, 1)))
          .constraint("C3", "indices have one type", TensorRule.of(it -> ShapeRules.oneType(it, 1)))
          .constraint("C4", "sizes lie within the operand", TensorRule.of(DynamicSlice::checkSizes))
          .constraint(
              "C5",
              "the result has the sizes",
              TensorRule.of(it -> ShapeRules.result(it, SIZES.get(it.operation()).toArray())))
          .local(DynamicSlice::eval)
          .build();

  private DynamicSlice() {}

  private static void checkSizes(TensorRule.Case it) {
    ImmutableLongArray sizes = SIZES.get(it.operation());
    if (!it.require(
        sizes.length() == it.operand(0).rank(),
        "%s sizes for an operand of rank %s",
        sizes.length(),
        it.operand(0).rank())) {
      return;
    }
    for (int d = 0; d < sizes.length(); d++) {
      long size = it.operand(0).dim(d);
      it.require(
          sizes.get(d) >= 0 && (size == TensorType.DYNAMIC || sizes.get(d) <= size),
          "size %s of dimension %s does not fit into %s",
          sizes.get(d),
          d,
          it.operand(0));
    }
  }

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = (Literal) operands.get(0);
    long[] sizes = SIZES.get(operation).toArray();
    long[] start =
        DataKeys.clampedStart(operands.subList(1, operands.size()), operand.dims(), sizes);
    long[] limit = new long[start.length];
    for (int d = 0; d < start.length; d++) {
      limit[d] = start[d] + sizes[d];
    }
    return ImmutableList.of(Movement.slice(operand, start, limit, DataKeys.ones(start.length)));
  }
}
