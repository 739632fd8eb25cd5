package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.shard.ShardyRegions;

/** {@code sdy.named_computation}. */
public final class SdyNamedComputation {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.named_computation")
          .summary("Runs its body under a name")
          .inherent("name", "in_shardings", "out_shardings")
          .trait(Trait.ISOLATED)
          .moduleConstraint(
              "C1", "the body takes the operands and gives the results", ShardyRegions.sameTypes())
          .moduleConstraint(
              "C2", "shardings are those of operands and results", ShardyRegions.shardings())
          .semantics(Semantics.Control.CALL)
          .build();

  private SdyNamedComputation() {}
}
