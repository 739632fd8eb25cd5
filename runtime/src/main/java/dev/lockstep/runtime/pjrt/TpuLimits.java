package dev.lockstep.runtime.pjrt;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.TensorType;

/** What XLA's compiler for TPUs does not reduce among devices, said with its place. */
final class TpuLimits {
  private TpuLimits() {}

  /**
   * Checks {@code module}.
   *
   * @throws DiagnosticException if devices reduce numbers of 64 bits by anything but a sum: TPUs
   *     keep them as pairs of 32 bits, which they only add
   */
  static void check(Module module) {
    module.walk(operation -> check(operation, module));
  }

  private static void check(Operation operation, Module module) {
    ReductionKind kind =
        operation.def().isCollective() ? Collectives.reduction(operation, module) : null;
    if (kind == null || kind == ReductionKind.ADD) {
      return;
    }
    for (Value value : operation.operands()) {
      if (isWide(value)) {
        throw DiagnosticException.error(
            "pjrt-reduction",
            String.format(
                "TPUs reduce %s among devices by sums only, this is %s; gather the values and"
                    + " reduce them on each device",
                ((TensorType) value.type()).element().mlirName(), kind.def().shortName()),
            operation.location());
      }
    }
  }

  private static boolean isWide(Value value) {
    return value.type() instanceof TensorType && ((TensorType) value.type()).element().bits() == 64;
  }
}
