package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code copy}: copies its operand. */
public final class Copy {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.copy")
          .hlo("copy")
          .summary("Copies its operand")
          .semantics(Semantics.Control.FORWARD)
          .build();

  private Copy() {}
}
