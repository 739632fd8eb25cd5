package dev.lockstep.tools.pjrt;

import com.google.common.base.Stopwatch;
import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.pass.PassManager;
import dev.lockstep.pass.Pipeline;
import dev.lockstep.runtime.pjrt.PjrtBuffer;
import dev.lockstep.runtime.pjrt.PjrtClient;
import dev.lockstep.runtime.pjrt.PjrtException;
import dev.lockstep.runtime.pjrt.PjrtPlugin;
import dev.lockstep.runtime.pjrt.PjrtRunner;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.program.AllPasses;
import dev.lockstep.tools.run.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What {@code run --backend pjrt} does.
 *
 * @param plugin the plugin that the user named, or null for the installed one
 * @param options the plugin's own options
 * @param repeat how often the program is launched
 */
public record PjrtBackend(@Nullable String plugin, Map<String, String> options, int repeat) {
  /**
   * Runs the program that all devices share and returns, for each device, its results.
   *
   * @throws DiagnosticException if the program must not reach a plugin
   * @throws PjrtException if the plugin refuses it
   */
  public ImmutableList<ImmutableList<Datum>> run(
      Session session, Workload work, List<ImmutableList<Datum>> arguments) {
    if (work.modules().isEmpty()) {
      throw UsageException.notBuilt("--backend pjrt", "running plans on plugins");
    }
    Module module = work.modules().get(0);
    DeviceGrid grid = work.grid();
    if (work.modules().stream().anyMatch(other -> other != module)) {
      throw new UsageException(
          "--backend pjrt runs one program on all devices, and the ranks have several");
    }
    Module replicated = asReplicas(module, grid);
    if (replicated != module) {
      session.say("note: XLA has partitioned this program; its partitions run as replicas");
      grid = new DeviceGrid(grid.size(), 1);
    }
    PjrtPlugin loaded = Plugins.load(plugin);
    session.report().put("plugin", loaded.toString());
    try (PjrtClient client = PjrtRunner.open(loaded, grid.size(), options)) {
      session.doing("compiling for " + grid.size() + " devices");
      Stopwatch watch = Stopwatch.createStarted();
      try (PjrtRunner runner = PjrtRunner.compile(client, replicated, grid)) {
        long compiled = watch.elapsed(TimeUnit.MILLISECONDS);
        session.doing("running on " + loaded);
        ImmutableList<ImmutableList<Datum>> results = runner.run(arguments);
        if (repeat > 1) {
          time(session, runner, arguments, compiled);
        }
        return results;
      }
    }
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

  private void time(
      Session session,
      PjrtRunner runner,
      List<ImmutableList<Datum>> arguments,
      long compiledMilliseconds) {
    List<List<PjrtBuffer>> inputs = runner.upload(arguments);
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < repeat; i++) {
      Stopwatch watch = Stopwatch.createStarted();
      List<ImmutableList<PjrtBuffer>> outputs = runner.executable().execute(inputs);
      times.add(watch.elapsed(TimeUnit.NANOSECONDS));
      outputs.forEach(device -> device.forEach(PjrtBuffer::close));
    }
    inputs.forEach(device -> device.forEach(PjrtBuffer::close));
    times.sort(null);
    double median = times.get(times.size() / 2) / 1e6;
    double least = times.get(0) / 1e6;
    session.say(
        String.format(
            "compiled in %d ms; %d launches: median %.3f ms, least %.3f ms",
            compiledMilliseconds, repeat, median, least));
    session.report().put("compile_ms", compiledMilliseconds);
    session.report().put("launch_ms_median", median);
    session.report().put("launch_ms_least", least);
  }
}
