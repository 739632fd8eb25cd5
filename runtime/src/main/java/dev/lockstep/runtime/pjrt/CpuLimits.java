package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.collective.AsyncStart;

/**
 * What ends the process in XLA's compiler for CPUs instead of being answered with an error, and so
 * must not reach it. Found by running on the plugins of PJRT 0.81 and 0.115.
 */
final class CpuLimits {
  private CpuLimits() {}

  /**
   * Checks {@code module}.
   *
   * @throws DiagnosticException if it starts, asynchronously, anything but one collective: a pass
   *     of XLA puts the code in the place of the start and then finds no start for the done
   */
  static void check(Module module) {
    module.walk(
        operation -> {
          if (operation.is(AsyncStart.DEF) && !startsCollective(operation, module)) {
            throw DiagnosticException.error(
                "pjrt-async",
                "XLA's compiler for CPUs ends the process on an asynchronous start of anything but"
                    + " a collective",
                operation.location());
          }
        });
  }

  private static boolean startsCollective(Operation start, Module module) {
    ImmutableList<Block> bodies = Bodies.of(start, module);
    return bodies.size() == 1
        && bodies.get(0).operations().stream()
            .allMatch(
                operation ->
                    operation.is(BuiltinOps.PARAMETER)
                        || operation.def().isTerminator()
                        || operation.def().isCollective());
  }
}
