package dev.lockstep.hlo.op.compute;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.batch_norm_training}, HLO's {@code batch-norm-training}. */
public final class BatchNormTraining {
  /** The feature dimension. */
  public static final AttrKey<Long> FEATURE_INDEX =
      AttrKeys.integer("feature_index", "feature_index");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.batch_norm_training")
          .hlo("batch-norm-training")
          .summary("Normalises over all dimensions but one; gives mean and variance too")
          .attributes(FEATURE_INDEX)
          .inherent("epsilon")
          .build();

  private BatchNormTraining() {}
}
