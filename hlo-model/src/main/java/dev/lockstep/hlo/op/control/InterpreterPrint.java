package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** {@code interpreter.print}. */
public final class InterpreterPrint {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("interpreter.print")
          .summary("Prints a tensor")
          .trait(Trait.SIDE_EFFECT)
          .semantics(Semantics.Control.PRINT)
          .build();

  private InterpreterPrint() {}
}
