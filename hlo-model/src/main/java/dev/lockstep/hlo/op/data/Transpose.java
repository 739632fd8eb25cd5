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

/** {@code stablehlo.transpose}: permutes dimensions. */
public final class Transpose {
  /** The dimension of the operand for each dimension of the result. */
  public static final AttrKey<ImmutableLongArray> PERMUTATION =
      AttrKeys.longs("permutation", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.transpose")
          .hlo("transpose")
          .summary("Permutes dimensions")
          .attributes(PERMUTATION)
          .takes(TypeClass.TENSOR.orPerAxis())
          .gives(TypeClass.TENSOR.orPerAxis())
          .constraint(
              "C1", "operand and result have elements of one type", TensorRule.sameElement(1))
          .constraint(
              "C2",
              "the permutation is one of the dimensions",
              TensorRule.of(Transpose::checkPermutation))
          .constraint(
              "C3", "the result has the permuted shape", TensorRule.of(Transpose::checkShape))
          .local(Transpose::eval)
          .build();

  private Transpose() {}

  private static void checkPermutation(TensorRule.Case it) {
    ImmutableLongArray permutation = PERMUTATION.get(it.operation());
    it.require(
        isPermutation(permutation, it.operand(0).rank()),
        "%s does not permute the dimensions of %s",
        permutation,
        it.operand(0));
  }

  private static boolean isPermutation(ImmutableLongArray values, int rank) {
    return values.length() == rank
        && ShapeRules.within(values, rank)
        && values.stream().distinct().count() == rank;
  }

  private static void checkShape(TensorRule.Case it) {
    ImmutableLongArray permutation = PERMUTATION.get(it.operation());
    if (!isPermutation(permutation, it.operand(0).rank())) {
      return;
    }
    long[] dims = new long[permutation.length()];
    for (int d = 0; d < dims.length; d++) {
      dims[d] = it.operand(0).dim((int) permutation.get(d));
    }
    ShapeRules.result(it, dims);
  }

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    return ImmutableList.of(
        Movement.transpose((Literal) operands.get(0), PERMUTATION.get(operation)));
  }
}
