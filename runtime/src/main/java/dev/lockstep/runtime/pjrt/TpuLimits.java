package dev.lockstep.runtime.pjrt;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
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
    for (Function function : module.functions()) {
      if (!function.isDeclaration()) {
        check(function.body(), module);
      }
    }
  }

  private static void check(Block block, Module module) {
    for (Operation operation : block.operations()) {
      if (operation.def().isCollective()) {
        ReductionKind kind = Collectives.reduction(operation, module);
        for (Value value : operation.operands()) {
          if (kind != null && kind != ReductionKind.ADD && isWide(value)) {
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
      for (Region region : operation.regions()) {
        region.blocks().forEach(inner -> check(inner, module));
      }
    }
  }

  private static boolean isWide(Value value) {
    return value.type() instanceof TensorType && ((TensorType) value.type()).element().bits() == 64;
  }
}
