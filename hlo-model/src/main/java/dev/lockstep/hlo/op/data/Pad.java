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

/** {@code stablehlo.pad}: adds or removes elements at the edges and between elements. */
public final class Pad {
  /** Elements before the first; negative removes. */
  public static final AttrKey<ImmutableLongArray> LOW =
      AttrKeys.longs("edge_padding_low", "padding.low");

  /** Elements after the last; negative removes. */
  public static final AttrKey<ImmutableLongArray> HIGH =
      AttrKeys.longs("edge_padding_high", "padding.high");

  /** Elements between two; not negative. */
  public static final AttrKey<ImmutableLongArray> INTERIOR =
      AttrKeys.longs("interior_padding", "padding.interior");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.pad")
          .hlo("pad")
          .summary("Adds or removes elements at the edges and between elements")
          .attributes(LOW, HIGH, INTERIOR)
          .takes(TypeClass.TENSOR, TypeClass.TENSOR.scalar())
          .gives(TypeClass.TENSOR)
          .constraint(
              "C1",
              "operand, padding value and result have elements of one type",
              TensorRule.sameElement(2))
          .constraint("C2", "there are amounts for every dimension", TensorRule.of(Pad::checkRank))
          .constraint(
              "C3",
              "interior amounts are not negative",
              TensorRule.of(
                  it ->
                      it.require(
                          INTERIOR.get(it.operation()).stream().allMatch(n -> n >= 0),
                          "interior amounts %s are not all positive",
                          INTERIOR.get(it.operation()))))
          .constraint("C4", "the result has the padded shape", TensorRule.of(Pad::checkShape))
          .local(Pad::eval)
          .build();

  private Pad() {}

  private static boolean fits(TensorRule.Case it) {
    int rank = it.operand(0).rank();
    return LOW.get(it.operation()).length() == rank
        && HIGH.get(it.operation()).length() == rank
        && INTERIOR.get(it.operation()).length() == rank;
  }

  private static void checkRank(TensorRule.Case it) {
    it.require(fits(it), "not one amount for each dimension of %s", it.operand(0));
  }

  private static void checkShape(TensorRule.Case it) {
    if (!fits(it)) {
      return;
    }
    long[] dims = new long[it.operand(0).rank()];
    for (int d = 0; d < dims.length; d++) {
      long size = it.operand(0).dim(d);
      long gaps = Math.max(size - 1, 0) * INTERIOR.get(it.operation()).get(d);
      long edges = LOW.get(it.operation()).get(d) + HIGH.get(it.operation()).get(d);
      dims[d] = size == TensorType.DYNAMIC ? size : Math.max(0, size + gaps + edges);
      long bound = TensorRule.bound(it.operand(0), d);
      it.require(
          bound == Long.MAX_VALUE
              || bound + Math.max(bound - 1, 0) * INTERIOR.get(it.operation()).get(d) + edges >= 0,
          "padding leaves less than nothing of dimension %d of %s",
          d,
          it.operand(0));
    }
    ShapeRules.result(it, dims);
  }

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    return ImmutableList.of(
        Movement.pad(
            (Literal) operands.get(0),
            (Literal) operands.get(1),
            LOW.get(operation).toArray(),
            HIGH.get(operation).toArray(),
            INTERIOR.get(operation).toArray()));
  }
}
