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
import dev.lockstep.hlo.type.TensorType;

/** {@code stablehlo.triangular_solve}, HLO's {@code triangular-solve}. */
public final class TriangularSolve {
  /** Whether the matrix stands left of the unknown. */
  public static final AttrKey<Boolean> LEFT_SIDE = AttrKeys.flag("left_side", "left_side");

  /** Whether the lower triangle is read. */
  public static final AttrKey<Boolean> LOWER = AttrKeys.flag("lower", "lower");

  /** Whether the diagonal is taken to be ones. */
  public static final AttrKey<Boolean> UNIT_DIAGONAL =
      AttrKeys.flag("unit_diagonal", "unit_diagonal");

  /** NO_TRANSPOSE, TRANSPOSE or ADJOINT. */
  public static final AttrKey<String> TRANSPOSE = AttrKeys.word("transpose_a", "transpose_a");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.triangular_solve")
          .hlo("triangular-solve")
          .summary("Solves systems with triangular matrices")
          .attributes(LEFT_SIDE, LOWER, UNIT_DIAGONAL, TRANSPOSE)
          .takes(TypeClass.FLOAT_OR_COMPLEX.plain(), TypeClass.FLOAT_OR_COMPLEX.plain())
          .gives(TypeClass.FLOAT_OR_COMPLEX.plain())
          .constraint(
              "C1",
              "operands have elements of one type",
              TensorRule.of(
                  it ->
                      it.require(
                          it.sameElements(it.operand(0), it.operand(1)),
                          "operands have elements of types %s and %s",
                          it.operand(0).element(),
                          it.operand(1).element())))
          .constraint(
              "C2",
              "operands have one rank, two or more",
              TensorRule.of(
                  it ->
                      it.require(
                          it.operand(0).rank() >= 2 && it.operand(0).rank() == it.operand(1).rank(),
                          "%s and %s must have one rank, two or more",
                          it.operand(0),
                          it.operand(1))))
          .constraint("C3", "matrices fit", TensorRule.of(TriangularSolve::checkShapes))
          .constraint(
              "C4",
              "the result has the type of the right side",
              TensorRule.of(
                  it ->
                      it.require(
                          it.agree(it.operand(1), it.result()),
                          "the right side has type %s but the result has type %s",
                          it.operand(1),
                          it.result())))
          .constraint(
              "I6",
              "the matrix is transposed in a known way",
              (operation, code, sink) -> {
                String given = TRANSPOSE.getOr(operation, "NO_TRANSPOSE");
                if (given.equals("TRANSPOSE_INVALID")) {
                  sink.error(code, given + " is no way to transpose", operation.location());
                }
              })
          .local(TriangularSolve::eval)
          .build();

  private TriangularSolve() {}

  private static void checkShapes(TensorRule.Case it) {
    TensorType a = it.operand(0);
    TensorType b = it.operand(1);
    int rank = a.rank();
    if (rank < 2 || rank != b.rank()) {
      return;
    }
    boolean fits = TensorRule.agree(a.dim(rank - 2), a.dim(rank - 1));
    for (int d = 0; d < rank - 2; d++) {
      fits &= TensorRule.agree(a.dim(d), b.dim(d));
    }
    int shared = LEFT_SIDE.getOr(it.operation(), false) ? rank - 2 : rank - 1;
    it.require(
        fits && TensorRule.agree(a.dim(rank - 1), b.dim(shared)),
        "matrices of %s must be square and fit those of %s",
        a,
        b);
  }

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal a = Results.literal(operation, operands, 0);
    Literal b = Results.literal(operation, operands, 1);
    int rank = a.type().rank();
    int n = (int) a.type().dim(rank - 1);
    int rows = (int) b.type().dim(rank - 2);
    int columns = (int) b.type().dim(rank - 1);
    boolean left = LEFT_SIDE.getOr(operation, false);
    boolean lower = LOWER.getOr(operation, false);
    boolean unit = UNIT_DIAGONAL.getOr(operation, false);
    String transpose = TRANSPOSE.getOr(operation, "NO_TRANSPOSE");
    double[] triangle = Wide.pairs(a);
    double[] x = Wide.pairs(b);
    int batches = rows * columns == 0 ? 0 : b.count() / (rows * columns);
    for (int batch = 0; batch < batches; batch++) {
      Matrix matrix = new Matrix(triangle, batch * n * n, n, 1, transpose.equals("ADJOINT"));
      boolean turned = !transpose.equals("NO_TRANSPOSE");
      Matrix unknown = new Matrix(x, batch * rows * columns, columns, 1, false);
      // x * a = b is solved as transposed(a) * transposed(x) = transposed(b).
      boolean flip = turned == left;
      (flip ? matrix.transposed() : matrix)
          .solve(
              left ? unknown : unknown.transposed(), n, left ? columns : rows, lower != flip, unit);
    }
    return ImmutableList.of(
        b.element().isComplex() ? Wide.ofPairs(b.type(), x) : Wide.ofReals(b.type(), x));
  }
}
