package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** HLO's {@code recv-done}. */
public final class RecvDone {
  /** Whether the other end is the host. */
  public static final AttrKey<Boolean> IS_HOST_TRANSFER =
      AttrKeys.flag("is_host_transfer", "is_host_transfer");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.recv_done")
          .hlo("recv-done")
          .summary("Gives what was received")
          .attributes(IS_HOST_TRANSFER, Collectives.CHANNEL)
          .trait(Trait.SIDE_EFFECT, Trait.ASYNC)
          .semantics(Semantics.Control.RECV_DONE)
          .build();

  private RecvDone() {}
}
