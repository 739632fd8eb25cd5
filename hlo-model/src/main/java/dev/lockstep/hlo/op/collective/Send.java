package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.send}. */
public final class Send {
  /** Whether the other end is the host. */
  public static final AttrKey<Boolean> IS_HOST_TRANSFER =
      AttrKeys.flag("is_host_transfer", "is_host_transfer");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.send")
          .hlo("send")
          .summary("Sends to another device or to the host")
          .attributes(IS_HOST_TRANSFER, Collectives.PAIRS, Collectives.CHANNEL)
          .trait(Trait.SIDE_EFFECT, Trait.ASYNC)
          .moduleConstraint("I2", "operands are tensors and a token", TransferRules::operands)
          .constraint("C1", "pairs are pairs", TransferRules.pairs(GroupRules.pairShape()))
          .constraint("C2", "no source stands twice", TransferRules.pairs(GroupRules.uniqueEnds(0)))
          .constraint("C3", "no target stands twice", TransferRules.pairs(GroupRules.uniqueEnds(1)))
          .constraint("C4", "no id is negative", TransferRules.pairs(GroupRules.naturalPairs()))
          .constraint(
              "C5",
              "the channel is of the type that the transfer wants",
              TransferRules.channel(IS_HOST_TRANSFER, 2))
          .semantics(Semantics.Control.SEND)
          .build();

  private Send() {}
}
