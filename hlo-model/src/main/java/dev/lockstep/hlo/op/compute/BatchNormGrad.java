package dev.lockstep.hlo.op.compute;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.batch_norm_grad}, HLO's {@code batch-norm-grad}. */
public final class BatchNormGrad {
  /** The feature dimension. */
  public static final AttrKey<Long> FEATURE_INDEX =
      AttrKeys.integer("feature_index", "feature_index");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.batch_norm_grad")
          .hlo("batch-norm-grad")
          .summary("Gradients of batch_norm_training")
          .attributes(FEATURE_INDEX)
          .inherent("epsilon")
          .build();

  private BatchNormGrad() {}
}
