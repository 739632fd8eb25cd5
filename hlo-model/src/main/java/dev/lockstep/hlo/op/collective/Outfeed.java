package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.outfeed}. */
public final class Outfeed {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.outfeed")
          .hlo("outfeed")
          .summary("Gives values to the host")
          .inherent("outfeed_config")
          .trait(Trait.SIDE_EFFECT)
          .moduleConstraint("I2", "operands are tensors and a token", TransferRules::operands)
          .semantics(Semantics.Control.OUTFEED)
          .build();

  private Outfeed() {}
}
