package dev.lockstep.hlo.op;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.op.collective.CollectiveOps;
import dev.lockstep.hlo.op.compute.ComputeOps;
import dev.lockstep.hlo.op.control.ControlOps;
import dev.lockstep.hlo.op.data.DataOps;
import dev.lockstep.hlo.op.elementwise.ElementwiseOps;

/** The list of all ops that Lockstep defines, in documentation order. */
final class StandardOps {
  static final ImmutableList<OpDef> ALL =
      ImmutableList.<OpDef>builder()
          .addAll(BuiltinOps.ALL)
          .addAll(ElementwiseOps.ALL)
          .addAll(DataOps.ALL)
          .addAll(ComputeOps.ALL)
          .addAll(CollectiveOps.ALL)
          .addAll(ControlOps.ALL)
          .build();

  private StandardOps() {}
}
