package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code sdy.mesh}. */
public final class SdyMesh {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.mesh")
          .summary("Names the axes of the devices")
          .inherent("sym_name", "mesh")
          .semantics(new Semantics.Unsupported("it is a name for shardings, not code"))
          .build();

  private SdyMesh() {}
}
