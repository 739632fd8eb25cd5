package dev.lockstep.hlo.op.compute;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.batch_norm_inference}, HLO's {@code batch-norm-inference}. */
public final class BatchNormInference {
  /** The feature dimension. */
  public static final AttrKey<Long> FEATURE_INDEX =
      AttrKeys.integer("feature_index", "feature_index");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.batch_norm_inference")
          .hlo("batch-norm-inference")
          .summary("Normalises with a given mean and variance")
          .attributes(FEATURE_INDEX)
          .inherent("epsilon")
          .build();

  private BatchNormInference() {}
}
