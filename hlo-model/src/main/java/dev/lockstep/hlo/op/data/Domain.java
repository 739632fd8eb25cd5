package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code domain}: marks a border between parts of a program. */
public final class Domain {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.domain")
          .hlo("domain")
          .summary("Marks a border between parts of a program")
          .semantics(Semantics.Control.FORWARD)
          .build();

  private Domain() {}
}
