package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.torch_index_select}: picks slices by index. */
public final class TorchIndexSelect {
  /** The dimension to pick from. */
  public static final AttrKey<Long> DIM = AttrKeys.integer("dim", "");

  /** How many leading dimensions both operands share. */
  public static final AttrKey<Long> BATCH_DIMS = AttrKeys.integer("batch_dims", "");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.torch_index_select")
          .summary("Picks slices by index")
          .form(MlirForm.GENERIC)
          .attributes(DIM, BATCH_DIMS)
          .build();

  private TorchIndexSelect() {}
}
