package dev.lockstep.hlo.op.collective;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.type.ElementType;

/** {@code stablehlo.partition_id}, HLO's {@code partition-id}. */
public final class PartitionId {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.partition_id")
          .hlo("partition-id")
          .summary("The partition that this device belongs to")
          .trait(Trait.DEVICE_DEPENDENT)
          .semantics(
              (Semantics.PerDevice)
                  (operation, operands, device, grid) ->
                      ImmutableList.of(
                          Literal.scalar(ElementType.UI32, (long) grid.partition(device))))
          .build();

  private PartitionId() {}
}
