package dev.lockstep.tools.pjrt;

import com.google.common.base.Stopwatch;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.runtime.pjrt.CompiledProgram;
import dev.lockstep.runtime.pjrt.PjrtClient;
import dev.lockstep.runtime.pjrt.PjrtCode;
import dev.lockstep.runtime.pjrt.PjrtException;
import dev.lockstep.runtime.pjrt.PjrtPlugin;
import dev.lockstep.runtime.pjrt.PjrtRunner;
import dev.lockstep.runtime.pjrt.PjrtTopology;
import dev.lockstep.tools.EnvironmentException;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.program.Programs;
import dev.lockstep.tools.run.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What {@code run --compile-only} does: compile for a topology whose devices need not be there, or
 * for the plugin's own devices, and write what the plugin made of the program.
 *
 * @param plugin the plugin that the user named, or null for the installed one
 * @param options the plugin's own options
 * @param topology the plugin's name of the topology, or null for its devices
 */
public record CompileOnly(
    @Nullable String plugin, Map<String, String> options, @Nullable String topology) {

  /**
   * Compiles the program that all devices share, and writes the optimised HLO to {@code file} and
   * the statistics beside it, or both to the console.
   *
   * @throws DiagnosticException if the program must not reach the plugin
   * @throws PjrtException if the plugin refuses it
   * @throws EnvironmentException if the plugin cannot compile ahead of time
   */
  public void run(Session session, Workload work, @Nullable Path file) throws IOException {
    OneProgram program = OneProgram.of(session, work);
    DeviceGrid grid = program.grid();
    Module module = program.module();
    if (topology == null) {
      PjrtPlugin loaded = Plugins.load(plugin);
      try (PjrtClient client = PjrtRunner.open(loaded, grid.size(), options)) {
        session.doing("compiling for " + grid.size() + " devices");
        Stopwatch watch = Stopwatch.createStarted();
        try (PjrtRunner runner = PjrtRunner.compile(client, module, grid)) {
          write(session, loaded, watch, runner.executable().program(), file);
        }
      }
      return;
    }
    PjrtPlugin loaded = Plugins.loadAhead(plugin);
    session.doing("compiling for " + topology);
    try (PjrtTopology ahead = open(loaded)) {
      if (ahead.devices().size() < grid.size()) {
        throw new PjrtException(
            PjrtCode.INVALID_ARGUMENT,
            "the program is for " + grid.size() + " devices, the topology is " + ahead);
      }
      Stopwatch watch = Stopwatch.createStarted();
      try (CompiledProgram compiled = ahead.compile(module, grid)) {
        write(session, loaded, watch, compiled, file);
      }
    }
  }

  private PjrtTopology open(PjrtPlugin loaded) {
    try {
      return PjrtTopology.create(loaded, String.valueOf(topology), options);
    } catch (PjrtException e) {
      if (e.code() == PjrtCode.UNIMPLEMENTED) {
        throw new EnvironmentException(
            loaded + " cannot compile ahead of time for a topology: " + e.getMessage());
      }
      throw e;
    }
  }

  private static void write(
      Session session,
      PjrtPlugin plugin,
      Stopwatch watch,
      CompiledProgram compiled,
      @Nullable Path file)
      throws IOException {
    long milliseconds = watch.elapsed(TimeUnit.MILLISECONDS);
    session.report().put("plugin", plugin.toString());
    session.report().put("compile_ms", milliseconds);
    ImmutableMap<String, ? extends Object> memory = orNone(session, "memory", compiled::memory);
    ImmutableMap<String, ? extends Object> costs = orNone(session, "costs", compiled::costs);
    session.report().put("memory", memory);
    session.report().put("costs", costs);
    session.say("compiled in " + milliseconds + " ms");
    memory.forEach((name, bytes) -> session.say("memory: " + name + " " + bytes));
    costs.forEach((name, value) -> session.say("cost: " + name + " " + value));
    session.writeResult(file, "optimized", Programs.print(compiled.optimized()));
  }

  private interface Question {
    ImmutableMap<String, ? extends Object> ask();
  }

  private static ImmutableMap<String, ? extends Object> orNone(
      Session session, String what, Question question) {
    try {
      return question.ask();
    } catch (PjrtException e) {
      session.say("note: no " + what + ": the plugin says " + e.code() + ": " + e.getMessage());
      return ImmutableMap.of();
    }
  }
}
