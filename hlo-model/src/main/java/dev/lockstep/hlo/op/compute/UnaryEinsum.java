package dev.lockstep.hlo.op.compute;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.unary_einsum}. */
public final class UnaryEinsum {
  /** The equation, ab->a. */
  public static final AttrKey<String> EQUATION = AttrKeys.word("einsum_config", "");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.unary_einsum")
          .summary("Rearranges and sums one tensor as an equation says")
          .attributes(EQUATION)
          .semantics(
              new Semantics.Unsupported("StableHLO has dropped it; write transpose and reduce"))
          .build();

  private UnaryEinsum() {}
}
