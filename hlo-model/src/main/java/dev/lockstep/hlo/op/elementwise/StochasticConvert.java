package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** {@code stochastic-convert}: converts with rounding by random bits. */
public final class StochasticConvert {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.stochastic_convert")
          .hlo("stochastic-convert")
          .summary("Converts with rounding by random bits")
          .form(MlirForm.GENERIC)
          .trait(Trait.ELEMENTWISE)
          .semantics(
              new Semantics.Unsupported(
                  "its rounding is not specified well enough to give the same result twice"))
          .build();

  private StochasticConvert() {}
}
