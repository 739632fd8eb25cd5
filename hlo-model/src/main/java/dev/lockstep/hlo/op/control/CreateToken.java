package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.create_token}. */
public final class CreateToken {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.create_token")
          .summary("Makes a token")
          .semantics(Semantics.Control.AFTER_ALL)
          .build();

  private CreateToken() {}
}
