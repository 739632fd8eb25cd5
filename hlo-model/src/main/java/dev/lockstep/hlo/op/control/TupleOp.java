package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.tuple}. */
public final class TupleOp {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.tuple")
          .hlo("tuple")
          .summary("Makes a tuple")
          .semantics(Semantics.Control.TUPLE)
          .build();

  private TupleOp() {}
}
