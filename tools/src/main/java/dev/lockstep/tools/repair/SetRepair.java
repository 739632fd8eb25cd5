package dev.lockstep.tools.repair;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.CompilerBug;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.lower.LowerSet;
import dev.lockstep.lower.LoweringContext;
import dev.lockstep.pass.region.align.ProgramClasses;
import dev.lockstep.pass.region.merge.AddedInput;
import dev.lockstep.pass.region.merge.MergeStep;
import dev.lockstep.pass.region.repair.DivergenceRepair;
import dev.lockstep.pass.region.repair.RankRepair;
import dev.lockstep.pass.region.repair.RepairOptions;
import dev.lockstep.pass.region.shards.PaddedTensor;
import dev.lockstep.runtime.values.ValueWriter;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.program.DistributedCalls;
import dev.lockstep.tools.program.OutputFormat;
import dev.lockstep.tools.program.ProgramSet;
import dev.lockstep.tools.program.Programs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code diff --repair}: repairs a set of programs, writes what came out and says what was done.
 */
public final class SetRepair {
  private final Session session;
  private final DeviceGrid grid;
  private final RepairOptions options;

  /** Creates a repair of programs that run on {@code grid}. */
  public SetRepair(Session session, DeviceGrid grid, RepairOptions options) {
    this.session = session;
    this.grid = grid;
    this.options = options;
  }

  /** Repairs {@code set} into {@code folder}; returns the exit code. */
  public int run(ProgramSet set, Path folder) throws IOException {
    session.doing("repairing the programs of " + set.size() + " ranks");
    RankRepair repair = repair(set.modules());
    repair.problems().forEach(session::print);
    session.report().put("repaired", repair.problems().isEmpty());
    if (!repair.problems().isEmpty()) {
      session.say("not repaired: nothing was written");
      return ExitCode.FAILED;
    }
    check(repair);
    int files = write(set, repair, folder);
    describe(repair, folder);
    session.say("wrote " + files + (files == 1 ? " program" : " programs") + " to " + folder);
    return ExitCode.OK;
  }

  /**
   * Repairs the programs as they are; where that does not do, with their torch.distributed calls
   * matched across ranks and lowered, because one rank's call alone does not say whom it meets.
   */
  private RankRepair repair(ImmutableList<ImmutableList<Module>> ranks) {
    RankRepair plain = RankRepair.of(ranks, grid, options);
    boolean calls =
        ranks.stream()
            .flatMap(List::stream)
            .distinct()
            .anyMatch(module -> DistributedCalls.count(module) > 0);
    if (plain.problems().isEmpty() || !calls) {
      return plain;
    }
    ImmutableList<ImmutableList<Module>> lowered;
    try {
      lowered =
          LowerSet.lowerPrograms(ranks, LoweringContext.of(grid.replicas(), grid.partitions()));
    } catch (DiagnosticException e) {
      ImmutableList<Diagnostic> all =
          ImmutableList.<Diagnostic>builder()
              .addAll(plain.problems())
              .addAll(e.diagnostics())
              .build();
      return new RankRepair(plain.classes(), plain.programs(), all);
    }
    RankRepair repaired = RankRepair.of(lowered, grid, options);
    if (repaired.problems().isEmpty()) {
      session.say("note: torch.distributed calls were matched across ranks and lowered to XLA ops");
      session.report().put("lowered", true);
    }
    return repaired;
  }

  /** What was written for all ranks must be right; if not, that is our bug. */
  private static void check(RankRepair repair) {
    DiagnosticSink sink = new DiagnosticSink();
    for (DivergenceRepair.Result result : repair.programs()) {
      Programs.verify(result.ranks().get(0), sink);
    }
    if (sink.hasErrors()) {
      throw new CompilerBug("a repaired program does not verify: " + sink.diagnostics());
    }
  }

  private int write(ProgramSet set, RankRepair repair, Path folder) throws IOException {
    ImmutableList<ImmutableList<Module>> after = repair.ranks();
    Map<Module, String> texts = new HashMap<>();
    Map<String, Module> written = new HashMap<>();
    for (int rank = 0; rank < set.size(); rank++) {
      for (int i = 0; i < after.get(rank).size(); i++) {
        Module module = after.get(rank).get(i);
        String name =
            OutputFormat.fileName(set.ranks().get(rank).get(i).name(), OutputFormat.of(module));
        if (written.putIfAbsent(name, module) == null) {
          String text = texts.computeIfAbsent(module, Programs::print);
          session.writeResult(session.inFolder(folder, name), "output", text);
        }
      }
    }
    for (int i = 0; i < repair.programs().size(); i++) {
      ImmutableMap<String, Literal> values = repair.values(i);
      if (!values.isEmpty()) {
        session.write(
            session.inFolder(folder, valuesName(repair, i)),
            out -> ValueWriter.writeNpz(out, values));
      }
    }
    return written.size();
  }

  private static String valuesName(RankRepair repair, int number) {
    return repair.programs().size() == 1 ? "added.npz" : "added_" + number + ".npz";
  }

  private void describe(RankRepair repair, Path folder) {
    List<Map<String, Object>> programs = new ArrayList<>();
    for (int i = 0; i < repair.programs().size(); i++) {
      DivergenceRepair.Result result = repair.programs().get(i);
      ProgramClasses classes = repair.classes().get(i);
      String prefix = repair.programs().size() == 1 ? "" : "program " + i + ": ";
      if (classes.count() == 1) {
        session.say(prefix + "all ranks have one text already");
      }
      List<Object> steps = new ArrayList<>();
      for (MergeStep step : result.steps()) {
        session.say(prefix + place(step) + (place(step).isEmpty() ? "" : ": ") + step.message());
        steps.add(
            ImmutableMap.of("kind", step.kind(), "message", step.message(), "at", place(step)));
      }
      List<Object> inputs = new ArrayList<>();
      for (AddedInput input : result.inputs()) {
        String key = "in" + input.index();
        session.say(
            prefix
                + key
                + " is new: its values, one a rank, are in "
                + folder.resolve(valuesName(repair, i)));
        inputs.add(ImmutableMap.of("key", key, "file", valuesName(repair, i)));
      }
      List<Object> padded = new ArrayList<>();
      for (PaddedTensor tensor : result.padded()) {
        session.say(prefix + tensor.describe(classes));
        padded.add(describe(tensor, classes));
      }
      programs.add(
          ImmutableMap.of(
              "classes", classes.count(), "steps", steps, "inputs", inputs, "padded", padded));
    }
    session.report().put("programs", programs);
  }

  private static ImmutableMap<String, Object> describe(
      PaddedTensor tensor, ProgramClasses classes) {
    List<List<Long>> own = new ArrayList<>();
    for (int rank = 0; rank < classes.world(); rank++) {
      own.add(tensor.byClass().get(classes.of(rank)).asList());
    }
    return ImmutableMap.of(
        "key",
        (tensor.isArgument() ? "in" : "out") + tensor.index(),
        "shape",
        tensor.dims().asList(),
        "ranks",
        own);
  }

  private static String place(MergeStep step) {
    return step.location().isKnown()
        ? step.location().source().name() + ":" + step.location().line()
        : "";
  }
}
