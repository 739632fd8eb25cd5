package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.composite}. */
public final class Composite {
  /** The name of the operation. */
  public static final AttrKey<String> NAME = AttrKeys.word("name", "");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.composite")
          .summary("Runs a function that stands for a known operation")
          .form(MlirForm.COMPOSITE)
          .attributes(NAME)
          .inherent("composite_attributes", "decomposition", "version")
          .bodies("decomposition")
          .semantics(Semantics.Control.CALL)
          .build();

  private Composite() {}
}
