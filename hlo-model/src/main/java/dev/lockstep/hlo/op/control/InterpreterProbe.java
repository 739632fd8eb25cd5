package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** {@code interpreter.probe}. */
public final class InterpreterProbe {
  /** The name of the probe. */
  public static final AttrKey<String> PROBE_ID = AttrKeys.word("probe_id", "");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("interpreter.probe")
          .summary("Writes a tensor to a file and gives it back")
          .attributes(PROBE_ID)
          .trait(Trait.SIDE_EFFECT)
          .semantics(Semantics.Control.PROBE)
          .build();

  private InterpreterProbe() {}
}
