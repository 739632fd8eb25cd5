package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.recv}. */
public final class Recv {
  /** Whether the other end is the host. */
  public static final AttrKey<Boolean> IS_HOST_TRANSFER =
      AttrKeys.flag("is_host_transfer", "is_host_transfer");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.recv")
          .hlo("recv")
          .summary("Receives from another device or from the host")
          .attributes(IS_HOST_TRANSFER, Collectives.PAIRS, Collectives.CHANNEL)
          .trait(Trait.SIDE_EFFECT, Trait.ASYNC)
          .semantics(Semantics.Control.RECV)
          .build();

  private Recv() {}
}
