package dev.lockstep.hlo.op.compute;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;

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
          .build();

  private TriangularSolve() {}
}
