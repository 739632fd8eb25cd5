package dev.lockstep.hlo.op.control;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** HLO's {@code trace}. */
public final class Trace {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.trace")
          .hlo("trace")
          .summary("A mark that old files hold")
          .trait(Trait.SIDE_EFFECT)
          .local((operation, operands) -> ImmutableList.of())
          .build();

  private Trace() {}
}
