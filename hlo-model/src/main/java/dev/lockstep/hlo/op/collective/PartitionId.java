package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.partition_id}, HLO's {@code partition-id}. */
public final class PartitionId {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.partition_id")
          .hlo("partition-id")
          .summary("The partition that this device belongs to")
          .form(MlirForm.RESULT_TYPE)
          .trait(Trait.DEVICE_DEPENDENT)
          .build();

  private PartitionId() {}
}
