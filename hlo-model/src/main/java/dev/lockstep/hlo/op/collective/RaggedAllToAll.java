package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** HLO's {@code ragged-all-to-all}. */
public final class RaggedAllToAll {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.ragged_all_to_all")
          .hlo("ragged-all-to-all")
          .summary("Sends rows of unequal numbers to every member")
          .trait(Trait.COLLECTIVE)
          .build();

  private RaggedAllToAll() {}
}
