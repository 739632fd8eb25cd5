package dev.lockstep.hlo.op.compute;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.map}. */
public final class MapOp {
  /** The dimensions that are walked: all of them. */
  public static final AttrKey<ImmutableLongArray> DIMENSIONS =
      AttrKeys.longs("dimensions", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.map")
          .hlo("map")
          .summary("Applies a function to each element")
          .attributes(DIMENSIONS)
          .bodies("to_apply")
          .build();

  private MapOp() {}
}
