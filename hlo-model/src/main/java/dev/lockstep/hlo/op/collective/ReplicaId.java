package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.replica_id}, HLO's {@code replica-id}. */
public final class ReplicaId {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.replica_id")
          .hlo("replica-id")
          .summary("The replica that this device belongs to")
          .form(MlirForm.RESULT_TYPE)
          .trait(Trait.DEVICE_DEPENDENT)
          .build();

  private ReplicaId() {}
}
