package dev.lockstep.golden.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.golden.GoldenCase;
import dev.lockstep.golden.GoldenCase.Directive;
import dev.lockstep.golden.GoldenFile;
import dev.lockstep.golden.GoldenFiles;
import dev.lockstep.golden.pjrt.KnownLimits;
import dev.lockstep.golden.pjrt.OnPjrt;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.PassManager;
import dev.lockstep.pass.Pipeline;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.tools.program.AllPasses;
import dev.lockstep.tools.program.Programs;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What golden cases give, on a plugin. */
final class GoldenOnPjrtTest {
  private static final ImmutableList<String> SUITES =
      ImmutableList.of("interpret", "lowering", "passes");

  static Stream<Path> plugins() {
    return OnPjrt.plugins();
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void cases_giveOnThePluginWhatTheyGiveOnTheInterpreter(Path plugin) {
    try (OnPjrt both = OnPjrt.open(plugin)) {
      for (String suite : SUITES) {
        for (Path path : GoldenFiles.suite(suite)) {
          GoldenFile file = GoldenFile.read(path);
          for (GoldenCase golden : file.cases()) {
            if (!SetRun.isSet(golden) && golden.directive(Directive.NO_VALUES) == null) {
              check(both, "golden/" + GoldenFiles.name(path) + "/" + golden.name(), golden);
            }
          }
        }
      }
      KnownLimits.check("golden", both);
      assertThat(both.agreed()).isGreaterThan(300);
    }
  }

  private static void check(OnPjrt both, String name, GoldenCase golden) {
    GridDirective directive = GridDirective.of(golden);
    Module module;
    DeviceGrid grid;
    try {
      Module before = Programs.read(Source.of(name, golden.input()));
      String pipeline = golden.directive(Directive.RUN);
      module =
          pipeline == null
              ? before
              : PassManager.builder()
                  .counts(directive.replicas(), directive.partitions())
                  .build()
                  .run(
                      Pipeline.parse(pipeline, AllPasses.registry()), before, new DiagnosticSink());
      grid = directive.gridFor(module);
      if (grid.size() <= 8) {
        both.check(name, module, grid, Flattening.random(Program.of(module), grid, 1));
      }
    } catch (DiagnosticException e) {
      // Cases of errors, or of programs that only a set of ranks can run.
    }
  }
}
