package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/**
 * {@code stablehlo.dynamic_broadcast_in_dim}: repeats the operand along dimensions of a shape given
 * at run time.
 */
public final class DynamicBroadcastInDim {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_broadcast_in_dim")
          .summary("Repeats the operand along dimensions of a shape given at run time")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(BroadcastInDim.DIMENSIONS)
          .inherent("known_expanding_dimensions", "known_nonexpanding_dimensions")
          .keyword("broadcast_dimensions", "dims")
          .build();

  private DynamicBroadcastInDim() {}
}
