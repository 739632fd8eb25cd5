package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.kernel.Matrix;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.op.kernel.Wide;

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
          .local(TriangularSolve::eval)
          .build();

  private TriangularSolve() {}

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
