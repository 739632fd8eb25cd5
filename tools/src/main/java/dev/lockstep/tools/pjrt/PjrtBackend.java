package dev.lockstep.tools.pjrt;

import com.google.common.base.Stopwatch;
import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.runtime.pjrt.ExecutableCache;
import dev.lockstep.runtime.pjrt.PjrtBuffer;
import dev.lockstep.runtime.pjrt.PjrtClient;
import dev.lockstep.runtime.pjrt.PjrtException;
import dev.lockstep.runtime.pjrt.PjrtPlans;
import dev.lockstep.runtime.pjrt.PjrtPlugin;
import dev.lockstep.runtime.pjrt.PjrtRunner;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.run.Workload;
import java.util.List;
import java.util.Map;
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
   * Runs the program, or the programs or plans of all ranks, and returns, for each device, its
   * results.
   *
   * @throws DiagnosticException if the program must not reach a plugin
   * @throws PjrtException if the plugin refuses it
   */
  public ImmutableList<ImmutableList<Datum>> run(
      Session session, Workload work, List<ImmutableList<Datum>> arguments) {
    if (!MeetGuard.isOneText(work)) {
      return runPlans(session, work, arguments);
    }
    OneProgram program = OneProgram.of(session, work);
    DeviceGrid grid = program.grid();
    PjrtPlugin loaded = Plugins.load(plugin);
    session.report().put("plugin", loaded.toString());
    try (PjrtClient client = PjrtRunner.open(loaded, grid.size(), options)) {
      session.doing("compiling for " + grid.size() + " devices");
      Stopwatch watch = Stopwatch.createStarted();
      try (PjrtRunner runner = PjrtRunner.compile(client, program.module(), grid)) {
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

  private ImmutableList<ImmutableList<Datum>> runPlans(
      Session session, Workload work, List<ImmutableList<Datum>> arguments) {
    ImmutableList<ExecutionPlan> plans = SetPlans.of(session, work);
    PjrtPlugin loaded = Plugins.load(plugin);
    session.report().put("plugin", loaded.toString());
    try (PjrtClient client = PjrtRunner.open(loaded, work.grid().size(), options);
        ExecutableCache cache = new ExecutableCache(client)) {
      session.doing("compiling segments for " + work.grid().size() + " devices");
      Stopwatch watch = Stopwatch.createStarted();
      PjrtPlans runner = PjrtPlans.compile(cache, plans, work.grid());
      long compiled = watch.elapsed(TimeUnit.MILLISECONDS);
      session.report().put("launches", runner.launches());
      session.report().put("compiled_segments", cache.compiled());
      session.doing("running on " + loaded);
      ImmutableList<ImmutableList<Datum>> results = runner.run(arguments);
      if (repeat > 1) {
        // Arguments that are donated are gone after one run.
        LaunchTimes.measure(
            session,
            repeat,
            compiled,
            "runs of " + runner.launches() + " launches, with copies in and out",
            () -> runner.run(arguments));
      }
      return results;
    }
  }

  private void time(
      Session session,
      PjrtRunner runner,
      List<ImmutableList<Datum>> arguments,
      long compiledMilliseconds) {
    List<List<PjrtBuffer>> inputs = runner.upload(arguments);
    LaunchTimes.measure(
        session,
        repeat,
        compiledMilliseconds,
        "launches",
        () ->
            runner
                .executable()
                .execute(inputs)
                .forEach(device -> device.forEach(PjrtBuffer::close)));
    inputs.forEach(device -> device.forEach(PjrtBuffer::close));
  }
}
