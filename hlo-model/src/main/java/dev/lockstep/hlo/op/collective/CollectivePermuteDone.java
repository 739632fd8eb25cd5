package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** HLO's {@code collective-permute-done}. */
public final class CollectivePermuteDone {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.collective_permute_done")
          .hlo("collective-permute-done")
          .summary("Gives the results of a permute that was started")
          .trait(Trait.ASYNC)
          .semantics(Semantics.Control.ASYNC_DONE)
          .build();

  private CollectivePermuteDone() {}
}
