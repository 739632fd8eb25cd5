package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Matrix;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.op.kernel.Wide;

/** {@code stablehlo.cholesky}. */
public final class Cholesky {
  /** Whether the factor is lower triangular; false when absent. */
  public static final AttrKey<Boolean> LOWER = AttrKeys.flag("lower", "lower");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.cholesky")
          .hlo("cholesky")
          .summary("Cholesky factor of each matrix")
          .attributes(LOWER)
          .takes(TypeClass.FLOAT_OR_COMPLEX)
          .gives(TypeClass.FLOAT_OR_COMPLEX)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .constraint(
              "C2",
              "the operand has two dimensions or more",
              TensorRule.of(
                  it ->
                      it.require(
                          it.operand(0).rank() >= 2,
                          "%s has less than two dimensions",
                          it.operand(0))))
          .constraint("C3", "matrices are square", TensorRule.of(Cholesky::checkSquare))
          .local(Cholesky::eval)
          .build();

  private Cholesky() {}

  private static void checkSquare(TensorRule.Case it) {
    int rank = it.operand(0).rank();
    it.require(
        rank < 2 || TensorRule.agree(it.operand(0).dim(rank - 2), it.operand(0).dim(rank - 1)),
        "matrices of %s are not square",
        it.operand(0));
  }

  /** Reads one triangle of each matrix and gives its factor there, zeros in the other one. */
  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal a = Results.literal(operation, operands, 0);
    boolean lower = LOWER.getOr(operation, false);
    int rank = a.type().rank();
    int n = (int) a.type().dim(rank - 1);
    double[] in = Wide.pairs(a);
    double[] out = new double[in.length];
    int batches = n == 0 ? 0 : a.count() / (n * n);
    for (int b = 0; b < batches; b++) {
      Matrix matrix = new Matrix(in, b * n * n, n, 1, false);
      Matrix factor = new Matrix(out, b * n * n, n, 1, false);
      // The upper factor of a is the transposed lower factor of transposed(a).
      (lower ? matrix : matrix.transposed()).cholesky(lower ? factor : factor.transposed(), n);
    }
    return ImmutableList.of(
        a.element().isComplex() ? Wide.ofPairs(a.type(), out) : Wide.ofReals(a.type(), out));
  }
}
