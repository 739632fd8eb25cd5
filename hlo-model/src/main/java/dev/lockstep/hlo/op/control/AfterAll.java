package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.after_all}, HLO's {@code after-all}. */
public final class AfterAll {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.after_all")
          .hlo("after-all")
          .summary("Makes a token once all operands are there")
          .takesAll(TypeClass.TOKEN)
          .gives(TypeClass.TOKEN)
          .semantics(Semantics.Control.AFTER_ALL)
          .build();

  private AfterAll() {}
}
