package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/**
 * {@code stablehlo.bitcast_convert}, {@code bitcast-convert} in HLO: same bits under another
 * element type.
 */
public final class BitcastConvert {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.bitcast_convert")
          .hlo("bitcast-convert")
          .summary("Same bits under another element type")
          .form(MlirForm.UNARY_FUNCTION)
          .build();

  private BitcastConvert() {}
}
