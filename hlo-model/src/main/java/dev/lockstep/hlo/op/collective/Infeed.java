package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.infeed}. */
public final class Infeed {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.infeed")
          .hlo("infeed")
          .summary("Takes the next values that the host feeds")
          .inherent("infeed_config", "layout")
          .trait(Trait.SIDE_EFFECT, Trait.DEVICE_DEPENDENT)
          .takes(TypeClass.TOKEN)
          .moduleConstraint("C1", "there is a result", TransferRules.someResult())
          .moduleConstraint("C3", "results are tensors and a token", TransferRules.results())
          .moduleConstraint("I3", "there is a layout for each tensor", TransferRules.layout())
          .semantics(Semantics.Control.INFEED)
          .build();

  private Infeed() {}
}
