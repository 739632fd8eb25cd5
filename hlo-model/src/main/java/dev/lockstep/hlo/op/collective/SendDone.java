package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** HLO's {@code send-done}. */
public final class SendDone {
  /** Whether the other end is the host. */
  public static final AttrKey<Boolean> IS_HOST_TRANSFER =
      AttrKeys.flag("is_host_transfer", "is_host_transfer");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.send_done")
          .hlo("send-done")
          .summary("Waits until what was sent has left")
          .attributes(IS_HOST_TRANSFER, Collectives.CHANNEL)
          .trait(Trait.SIDE_EFFECT, Trait.ASYNC)
          .semantics(Semantics.Control.SEND_DONE)
          .build();

  private SendDone() {}
}
