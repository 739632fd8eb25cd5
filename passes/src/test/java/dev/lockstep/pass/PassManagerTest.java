package dev.lockstep.pass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.CompilerBug;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.pass.instrument.PassReport;
import dev.lockstep.pass.instrument.PrintIr;
import dev.lockstep.pass.instrument.Snapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PassManagerTest {
  private static final Module MODULE = Texts.read(Source.of("test.mlir", "module {\n}\n"));

  @TempDir private Path folder = Path.of("");

  private static Module run(PassManager manager, Pipeline pipeline) {
    return manager.run(pipeline, MODULE, new DiagnosticSink());
  }

  private static Pipeline fixpoint(int rounds, Pass pass) {
    return new Pipeline(ImmutableList.of(new Pipeline.Fixpoint(Pipeline.of(pass), rounds)));
  }

  @Test
  void passesThatChangeNothing_giveTheSameObject() {
    assertThat(run(PassManager.builder().build(), Pipeline.of(FakePass.idle("idle"))))
        .isSameAs(MODULE);
  }

  @Test
  void fixpoint_repeatsUntilNothingChanges() {
    Module after = run(PassManager.builder().build(), fixpoint(5, FakePass.counting("count", 5)));
    assertThat(after.attributes().get("runs")).isEqualTo(Attribute.Int.i64(5));
  }

  @Test
  void fixpoint_thatDoesNotSettle_isOurBug() {
    assertThatThrownBy(
            () -> run(PassManager.builder().build(), fixpoint(3, FakePass.counting("count", 99))))
        .isInstanceOf(CompilerBug.class)
        .hasMessageContaining("fixpoint{max=3}(count) did not settle in 3 rounds");
  }

  @Test
  void passThatThrows_isOurBugWithAReproducer() throws IOException {
    PassManager manager =
        PassManager.builder().reproducer(new Reproducer(folder, Texts::print)).build();
    FakePass broken =
        new FakePass(
            "broken",
            module -> {
              throw new IllegalStateException("oh");
            });
    assertThatThrownBy(() -> run(manager, Pipeline.of(FakePass.idle("idle"), broken)))
        .isInstanceOf(CompilerBug.class)
        .hasMessageContaining("pass broken failed")
        .hasMessageContaining("reproducer: ");
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.toList();
    }
    assertThat(files).hasSize(1);
    assertThat(Files.readString(files.get(0)))
        .startsWith("// lockstep opt --pipeline 'idle,broken'\n")
        .endsWith("module {\n}\n");
  }

  @Test
  void moduleThatDoesNotVerifyAfterAPass_isOurBug() {
    PassManager manager =
        PassManager.builder()
            .verifyEach((module, sink) -> sink.error("code", "it is wrong", module.location()))
            .build();
    assertThatThrownBy(() -> run(manager, Pipeline.of(FakePass.counting("count", 1))))
        .isInstanceOf(CompilerBug.class)
        .hasMessageContaining("pass count made a module that does not verify")
        .hasMessageContaining("it is wrong");
  }

  @Test
  void errorOfTheProgram_endsTheRun() {
    Pass strict =
        new Pass() {
          @Override
          public PassInfo info() {
            return PassInfo.of("strict", "Finds fault", "");
          }

          @Override
          public Module run(Module module, PassContext context) {
            context.diagnostics().error("code", "no", module.location());
            return module;
          }
        };
    assertThatThrownBy(() -> run(PassManager.builder().build(), Pipeline.of(strict)))
        .isInstanceOf(DiagnosticException.class)
        .hasMessageContaining("error[code]: no");
  }

  @Test
  void snapshots_areNumberedAndOnlyOfChanges() throws IOException {
    PassManager manager =
        PassManager.builder().instrument(new Snapshots(folder, Texts::print)).build();
    run(
        manager,
        Pipeline.of(FakePass.idle("idle"), FakePass.counting("count", 1), FakePass.idle("again")));
    try (Stream<Path> all = Files.list(folder)) {
      assertThat(all.map(path -> path.getFileName().toString()).sorted())
          .containsExactly("00-input.mlir", "02-count.mlir");
    }
  }

  @Test
  void printing_happensWhereAsked() {
    StringBuilder out = new StringBuilder();
    PrintIr printer =
        new PrintIr(
            ImmutableSet.of("idle"), ImmutableSet.of(), true, module -> "text", out::append);
    run(
        PassManager.builder().instrument(printer).build(),
        Pipeline.of(FakePass.idle("idle"), FakePass.counting("count", 1)));
    assertThat(out.toString())
        .isEqualTo("// ---- 1: before idle\ntext\n// ---- 2: after count\ntext\n");
  }

  @Test
  void report_countsRunsAndStatistics() {
    PassReport report = new PassReport();
    run(
        PassManager.builder().instrument(report).build(),
        Pipeline.of(FakePass.counting("count", 1), FakePass.counting("count", 1)));
    assertThat(report.timing()).containsPattern("2 +1 +count");
    assertThat(report.statistics()).isEqualTo("       8  count: size\n");
  }
}
