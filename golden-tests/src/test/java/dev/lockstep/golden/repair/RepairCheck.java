package dev.lockstep.golden.repair;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.golden.run.Execution;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.region.align.ProgramClasses;
import dev.lockstep.pass.region.repair.DivergenceRepair;
import dev.lockstep.pass.region.repair.RepairOptions;
import dev.lockstep.tools.program.Programs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Repairs sets of programs and checks what must hold of every repair. */
final class RepairCheck {
  private RepairCheck() {}

  /** Returns the programs that {@code texts} hold, equal texts read once. */
  static ImmutableList<Module> read(List<String> texts) {
    Map<String, Module> known = new HashMap<>();
    ImmutableList.Builder<Module> out = ImmutableList.builder();
    for (int rank = 0; rank < texts.size(); rank++) {
      String name = "rank" + rank;
      out.add(
          known.computeIfAbsent(
              texts.get(rank),
              text -> {
                Module module = Programs.read(Source.of(name, text));
                verify(module);
                return module;
              }));
    }
    return out.build();
  }

  private static void verify(Module module) {
    DiagnosticSink sink = new DiagnosticSink();
    Programs.verify(module, sink);
    sink.throwIfErrors();
  }

  /** Returns the repair of replicas; fails unless it succeeds and computes the same. */
  static DivergenceRepair.Result repaired(List<Module> ranks) {
    return repaired(ranks, new DeviceGrid(ranks.size(), 1), RepairOptions.DEFAULT, 1);
  }

  /** Returns the repair; fails unless it succeeds and computes the same on every device. */
  static DivergenceRepair.Result repaired(
      List<Module> ranks, DeviceGrid grid, RepairOptions options, long seed) {
    ProgramClasses classes = ProgramClasses.of(ranks, grid);
    DivergenceRepair.Result result = DivergenceRepair.repair(classes, options);
    assertThat(result.problems()).isEmpty();
    assertThat(result.ranks().stream().distinct()).hasSize(1);
    Module module = result.ranks().get(0);
    verify(module);
    String printed = Programs.print(module);
    Module again = Programs.read(Source.of("printed", printed));
    verify(again);
    assertThat(Programs.print(again)).isEqualTo(printed);
    Execution before = Execution.ofRanks(ranks, grid, seed, Execution.NONE_GIVEN);
    Arguments arguments = new Arguments(result, classes, seed);
    Execution after = Execution.ofRanks(result.ranks(), grid, seed, arguments::value);
    assertThat(before.differenceFrom(arguments.trimmed(after))).as(printed).isNull();
    return result;
  }

  /** Returns what is said about a repair. */
  static List<String> steps(DivergenceRepair.Result result) {
    List<String> out = new ArrayList<>();
    result.steps().forEach(step -> out.add(step.kind() + ": " + step.message()));
    return out;
  }
}
