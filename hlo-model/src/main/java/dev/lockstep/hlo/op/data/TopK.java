package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/**
 * {@code chlo.top_k}, {@code topk} in HLO: largest elements of the last dimension and their places.
 */
public final class TopK {
  /** How many elements. */
  public static final AttrKey<Long> K = AttrKeys.integer("k", "k");

  /** Whether HLO's op picks the largest elements; absent means true. */
  public static final AttrKey<Boolean> LARGEST = AttrKeys.flag("", "largest");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.top_k")
          .hlo("topk")
          .summary("Largest elements of the last dimension and their places")
          .form(MlirForm.SPECIAL)
          .attributes(K, LARGEST)
          .build();

  private TopK() {}
}
