package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.infeed}. */
public final class Infeed {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.infeed")
          .hlo("infeed")
          .summary("Takes the next values that the host feeds")
          .inherent("infeed_config", "layout")
          .trait(Trait.SIDE_EFFECT, Trait.DEVICE_DEPENDENT)
          .semantics(Semantics.Control.INFEED)
          .build();

  private Infeed() {}
}
