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

/** {@code stablehlo.slice}: cuts a regular part out. */
public final class Slice {
  /** First index in each dimension. */
  public static final AttrKey<ImmutableLongArray> START =
      AttrKeys.longs("start_indices", "slice.start");

  /** Index after the last in each dimension. */
  public static final AttrKey<ImmutableLongArray> LIMIT =
      AttrKeys.longs("limit_indices", "slice.limit");

  /** Step in each dimension. */
  public static final AttrKey<ImmutableLongArray> STRIDES =
      AttrKeys.longs("strides", "slice.strides");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.slice")
          .hlo("slice")
          .summary("Cuts a regular part out")
          .attributes(START, LIMIT, STRIDES)
          .takes(TypeClass.TENSOR)
          .gives(TypeClass.TENSOR)
          .constraint(
              "C1", "operand and result have elements of one type", TensorRule.sameElement(1))
          .constraint(
              "C2",
              "there are bounds and steps for every dimension",
              TensorRule.of(Slice::checkRank))
          .constraint("C3", "bounds lie within the operand", TensorRule.of(Slice::checkBounds))
          .constraint(
              "C4",
              "steps are positive",
              TensorRule.of(
                  it ->
                      it.require(
                          strides(it).stream().allMatch(s -> s > 0),
                          "steps %s are not all positive",
                          strides(it))))
          .constraint("C5", "the result has the size of the part", TensorRule.of(Slice::checkShape))
          .local(Slice::eval)
          .build();

  private Slice() {}

  private static ImmutableLongArray strides(TensorRule.Case it) {
    ImmutableLongArray strides = STRIDES.find(it.operation());
    return strides == null
        ? ImmutableLongArray.copyOf(DataKeys.ones(START.get(it.operation()).length()))
        : strides;
  }

  private static boolean fits(TensorRule.Case it) {
    int rank = it.operand(0).rank();
    return START.get(it.operation()).length() == rank
        && LIMIT.get(it.operation()).length() == rank
        && strides(it).length() == rank;
  }

  private static void checkRank(TensorRule.Case it) {
    it.require(fits(it), "not one bound for each dimension of %s", it.operand(0));
  }

  private static void checkBounds(TensorRule.Case it) {
    if (!fits(it)) {
      return;
    }
    for (int d = 0; d < it.operand(0).rank(); d++) {
      long start = START.get(it.operation()).get(d);
      long limit = LIMIT.get(it.operation()).get(d);
      long size = it.operand(0).dim(d);
      it.require(
          0 <= start
              && start <= limit
              && (size == TensorType.DYNAMIC
                  ? limit <= TensorRule.bound(it.operand(0), d)
                  : limit <= size),
          "bounds %s:%s of dimension %s do not lie within its size %s",
          start,
          limit,
          d,
          size);
    }
  }

  private static void checkShape(TensorRule.Case it) {
    if (!fits(it) || strides(it).stream().anyMatch(s -> s <= 0)) {
      return;
    }
    long[] dims = new long[it.operand(0).rank()];
    for (int d = 0; d < dims.length; d++) {
      long length = LIMIT.get(it.operation()).get(d) - START.get(it.operation()).get(d);
      dims[d] = Math.floorDiv(length + strides(it).get(d) - 1, strides(it).get(d));
    }
    ShapeRules.result(it, dims);
  }

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    long[] start = START.get(operation).toArray();
    ImmutableLongArray strides = STRIDES.find(operation);
    long[] by = strides == null ? DataKeys.ones(start.length) : strides.toArray();
    return ImmutableList.of(
        Movement.slice((Literal) operands.get(0), start, LIMIT.get(operation).toArray(), by));
  }
}
