package dev.lockstep.hlo.op.compute;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.rng}. */
public final class Rng {
  /** UNIFORM or NORMAL; HLO writes rng_uniform, rng_normal. */
  public static final AttrKey<String> DISTRIBUTION =
      AttrKeys.word("rng_distribution", "distribution");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.rng")
          .hlo("rng")
          .summary("Random numbers without a seed")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(DISTRIBUTION)
          .trait(Trait.SIDE_EFFECT, Trait.DEVICE_DEPENDENT)
          .keyword("rng_distribution", "distribution")
          .semantics(
              new Semantics.Unsupported(
                  "its numbers differ from device to device; write rng_bit_generator"))
          .build();

  private Rng() {}
}
