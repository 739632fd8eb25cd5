package dev.lockstep.tools.pjrt;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.PassManager;
import dev.lockstep.pass.Pipeline;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.program.AllPasses;
import dev.lockstep.tools.run.Workload;
import java.util.OptionalInt;

/**
 * The program that all devices run, in a form that a plugin compiles.
 *
 * @param module the program
 * @param grid the devices
 */
record OneProgram(Module module, DeviceGrid grid) {
  /**
   * Returns the program of {@code work}.
   *
   * @throws UsageException if it has several
   */
  static OneProgram of(Session session, Workload work) {
    if (work.modules().isEmpty()) {
      throw new UsageException(
          "--compile-only compiles one program; the segments of a plan are files of their own");
    }
    Module module = work.modules().get(0);
    if (work.modules().stream().anyMatch(other -> other != module)) {
      throw new UsageException(
          "--compile-only compiles one program for all devices, and the ranks have several");
    }
    Module replicated = asReplicas(module, work.grid());
    if (replicated == module) {
      return new OneProgram(module, work.grid());
    }
    session.say("note: XLA has partitioned this program; its partitions run as replicas");
    return new OneProgram(replicated, new DeviceGrid(work.grid().size(), 1));
  }

  /** Returns HLO that is scheduled, which XLA would not compile, over replicas. */
  private static Module asReplicas(Module module, DeviceGrid grid) {
    if (module.attributes().get("is_scheduled") != Attribute.Bool.TRUE) {
      return module;
    }
    PassManager manager =
        PassManager.builder()
            .counts(OptionalInt.of(grid.replicas()), OptionalInt.of(grid.partitions()))
            .build();
    return manager.run(
        Pipeline.parse("partitions-to-replicas", AllPasses.registry()),
        module,
        new DiagnosticSink());
  }
}
