package dev.lockstep.golden.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.golden.GoldenCase;
import dev.lockstep.golden.GoldenCase.Directive;
import dev.lockstep.golden.GoldenFile;
import dev.lockstep.golden.GoldenFiles;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpSet;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.pass.PassManager;
import dev.lockstep.pass.Pipeline;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.tools.program.AllPasses;
import dev.lockstep.tools.program.Programs;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What golden cases give when each device runs apart and collectives go over a transport: the same,
 * to the bit, with every collective that there is.
 */
final class GoldenApartTest {
  private static final int MOST_DEVICES = 16;

  private final Set<String> ran = new TreeSet<>();
  private int agreed;

  @Test
  void cases_giveApartWhatTheyGiveInOneProcess() {
    for (String suite : List.of("lowering", "passes", "interpret")) {
      for (Path path : GoldenFiles.suite(suite)) {
        for (GoldenCase golden : GoldenFile.read(path).cases()) {
          if (!SetRun.isSet(golden) && golden.directive(Directive.NO_VALUES) == null) {
            check(GoldenFiles.name(path) + "/" + golden.name(), golden);
          }
        }
      }
    }
    assertThat(agreed).isGreaterThan(300);
    Set<String> all = new TreeSet<>();
    for (OpDef op : OpSet.standard().all()) {
      if (op.semantics() instanceof Semantics.Collective) {
        all.add(op.name());
      }
    }
    assertThat(ran).containsAll(all);
  }

  private void check(String name, GoldenCase golden) {
    GridDirective directive = GridDirective.of(golden);
    for (boolean lowered : new boolean[] {false, true}) {
      Module module;
      ImmutableList<ImmutableList<Datum>> expected;
      Program program;
      DeviceGrid grid;
      List<ImmutableList<Datum>> arguments;
      try {
        module = Programs.read(Source.of(name, golden.input()));
        String pipeline = golden.directive(Directive.RUN);
        if (lowered && pipeline != null) {
          module =
              PassManager.builder()
                  .counts(directive.replicas(), directive.partitions())
                  .build()
                  .run(
                      Pipeline.parse(pipeline, AllPasses.registry()), module, new DiagnosticSink());
        }
        grid = directive.gridFor(module);
        program = Program.of(module);
        if (grid.size() == 1
            || grid.size() > MOST_DEVICES
            || program.shardedPartitions().isPresent()) {
          continue;
        }
        arguments = Flattening.random(program, grid, 1);
        expected = GridInterpreter.run(program, grid, arguments, InterpreterOptions.DEFAULT);
      } catch (DiagnosticException e) {
        continue;
      }
      Execution apart;
      try {
        apart = Execution.of(RankThreads.run(program, grid, arguments, InterpreterOptions.DEFAULT));
      } catch (DiagnosticException e) {
        // A send that names nobody reaches the other process only where there is one other, and
        // arrays that devices share are nobody's.
        assertThat(e.getMessage())
            .as(name)
            .containsAnyOf("does not say with whom", "arrays that devices share");
        continue;
      }
      assertThat(Execution.of(expected).differenceFrom(apart)).as(name).isNull();
      agreed++;
      module.operations().forEach(this::note);
    }
  }

  private void note(Operation operation) {
    ran.add(operation.def().name());
    for (Region region : operation.regions()) {
      for (Block block : region.blocks()) {
        block.operations().forEach(this::note);
      }
    }
  }
}
