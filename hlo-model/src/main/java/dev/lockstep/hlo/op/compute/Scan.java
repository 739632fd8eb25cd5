package dev.lockstep.hlo.op.compute;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code chlo.scan}. */
public final class Scan {
  /** The dimension that is walked. */
  public static final AttrKey<Long> DIMENSION = AttrKeys.integerOrList("dimension", "dimensions");

  /** Whether it is walked from the end. */
  public static final AttrKey<Boolean> IS_REVERSE = AttrKeys.flag("is_reverse", "is_reverse");

  /** Number of carried values. */
  public static final AttrKey<Long> NUM_CARRIES = AttrKeys.integer("", "num_carries");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.scan")
          .hlo("scan")
          .summary("Folds along a dimension and keeps every step")
          .form(MlirForm.SPECIAL)
          .attributes(DIMENSION, IS_REVERSE, NUM_CARRIES)
          .inherent("is_associative", "operandSegmentSizes", "resultSegmentSizes")
          .bodies("to_apply")
          .semantics(new Semantics.Unsupported("write a while loop"))
          .build();

  private Scan() {}
}
