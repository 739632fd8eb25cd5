package dev.lockstep.hlo.op.compute;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** HLO's {@code scaled-dot}. */
public final class ScaledDot {
  /** Batch dimensions of the left operand. */
  public static final AttrKey<ImmutableLongArray> LHS_BATCH = AttrKeys.longs("", "lhs_batch_dims");

  /** Batch dimensions of the right operand. */
  public static final AttrKey<ImmutableLongArray> RHS_BATCH = AttrKeys.longs("", "rhs_batch_dims");

  /** Contracting dimensions of the left operand. */
  public static final AttrKey<ImmutableLongArray> LHS_CONTRACTING =
      AttrKeys.longs("", "lhs_contracting_dims");

  /** Contracting dimensions of the right operand. */
  public static final AttrKey<ImmutableLongArray> RHS_CONTRACTING =
      AttrKeys.longs("", "rhs_contracting_dims");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.scaled_dot")
          .hlo("scaled-dot")
          .summary("Multiplies operands that have scales for blocks of elements")
          .attributes(LHS_BATCH, RHS_BATCH, LHS_CONTRACTING, RHS_CONTRACTING)
          .semantics(new Semantics.Unsupported("no two sources agree on its scales yet"))
          .build();

  private ScaledDot() {}
}
