package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.shard.ShardyRules;

/** {@code sdy.mesh}. */
public final class SdyMesh {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.mesh")
          .summary("Names the axes of the devices")
          .inherent("sym_name", "mesh")
          .moduleConstraint(
              "C1", "axes have sizes, and each device has one place", ShardyRules.mesh())
          .semantics(new Semantics.Unsupported("it is a name for shardings, not code"))
          .build();

  private SdyMesh() {}
}
