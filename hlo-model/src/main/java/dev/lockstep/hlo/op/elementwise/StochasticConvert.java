package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stochastic-convert}: converts with rounding by random bits. */
public final class StochasticConvert {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.stochastic_convert")
          .hlo("stochastic-convert")
          .summary("Converts with rounding by random bits")
          .form(MlirForm.GENERIC)
          .trait(Trait.ELEMENTWISE)
          .build();

  private StochasticConvert() {}
}
