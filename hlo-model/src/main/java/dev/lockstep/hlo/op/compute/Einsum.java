package dev.lockstep.hlo.op.compute;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.einsum}. */
public final class Einsum {
  /** The equation, ab,bc->ac. */
  public static final AttrKey<String> EQUATION = AttrKeys.word("einsum_config", "");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.einsum")
          .summary("Sums products as an equation over named dimensions says")
          .attributes(EQUATION)
          .semantics(new Semantics.Unsupported("StableHLO has dropped it; write dot_general"))
          .build();

  private Einsum() {}
}
