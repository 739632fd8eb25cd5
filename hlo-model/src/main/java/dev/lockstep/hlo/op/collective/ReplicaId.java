package dev.lockstep.hlo.op.collective;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.type.ElementType;

/** {@code stablehlo.replica_id}, HLO's {@code replica-id}. */
public final class ReplicaId {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.replica_id")
          .hlo("replica-id")
          .summary("The replica that this device belongs to")
          .trait(Trait.DEVICE_DEPENDENT)
          .semantics(
              (Semantics.PerDevice)
                  (operation, operands, device, grid) ->
                      ImmutableList.of(
                          Literal.scalar(ElementType.UI32, (long) grid.replica(device))))
          .build();

  private ReplicaId() {}
}
