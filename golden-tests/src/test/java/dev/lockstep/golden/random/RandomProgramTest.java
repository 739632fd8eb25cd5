package dev.lockstep.golden.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import dev.lockstep.golden.run.Execution;
import dev.lockstep.hlo.diag.CompilerBug;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.Pass;
import dev.lockstep.pass.PassManager;
import dev.lockstep.pass.Pipeline;
import dev.lockstep.tools.program.AllPasses;
import dev.lockstep.tools.program.Programs;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What holds for any program: it prints and reads back, and passes keep what it computes on two
 * devices. {@code -Drandom.count=N} tries N programs (the profile {@code long} many), and {@code
 * -Drandom.seed=S} starts at another; a failure prints the smallest program found.
 */
final class RandomProgramTest {
  private static final DeviceGrid GRID = new DeviceGrid(2, 1);

  static LongStream seeds() {
    long first = Long.getLong("random.seed", 0);
    return LongStream.range(first, first + Long.getLong("random.count", 25));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void text_printedAndRead_isTheSame(long seed) {
    check(seed, "round trip", RandomProgramTest::roundTrip);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void values_afterEachPass_areTheSame(long seed) {
    for (Pass pass : AllPasses.registry().all()) {
      check(seed, pass.info().name(), module -> afterPasses(module, Pipeline.of(pass)));
    }
    Pipeline all =
        Pipeline.parse(
            "degenerate-collectives,fixpoint(canonicalize,cse,dce)", AllPasses.registry());
    check(seed, all.toString(), module -> afterPasses(module, all));
  }

  @Test
  void reducer_keepsOnlyWhatTheFailureNeeds() {
    Module module =
        read(
            """
            func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
              %a = stablehlo.abs %x : tensor<4xf32>
              %b = stablehlo.negate %a : tensor<4xf32>
              %c = stablehlo.add %b, %a : tensor<4xf32>
              return %c : tensor<4xf32>
            }
            """);
    Module reduced = Reducer.reduce(module, m -> Programs.print(m).contains("negate"));
    assertThat(Programs.print(reduced))
        .isEqualTo(
            """
            module {
              func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
                %0 = stablehlo.negate %arg0 : tensor<4xf32>
                return %0 : tensor<4xf32>
              }
            }
            """);
  }

  /** Fails with the smallest program for which {@code property} still names a problem. */
  private static void check(long seed, String what, Function<Module, @Nullable String> property) {
    Module module = read(RandomProgram.text(seed));
    String problem = property.apply(module);
    if (problem != null) {
      Module reduced = Reducer.reduce(module, m -> verifies(m) && property.apply(m) != null);
      fail(
          what
              + " on the program of seed "
              + seed
              + ": "
              + property.apply(reduced)
              + "\n"
              + Programs.print(reduced));
    }
  }

  private static Module read(String text) {
    Module module = Programs.read(Source.of("random.mlir", text));
    DiagnosticSink sink = new DiagnosticSink();
    Programs.verify(module, sink);
    sink.throwIfErrors();
    return module;
  }

  private static boolean verifies(Module module) {
    DiagnosticSink sink = new DiagnosticSink();
    Programs.verify(module, sink);
    return !sink.hasErrors();
  }

  private static @Nullable String roundTrip(Module module) {
    String printed = Programs.print(module);
    try {
      String again = Programs.print(read(printed));
      return again.equals(printed) ? null : "reads back as\n" + again;
    } catch (DiagnosticException e) {
      return "does not read back: " + e.getMessage();
    }
  }

  private static @Nullable String afterPasses(Module module, Pipeline pipeline) {
    PassManager manager =
        PassManager.builder()
            .counts(OptionalInt.of(2), OptionalInt.of(1))
            .verifyEach(Programs::verify)
            .build();
    try {
      Module after = manager.run(pipeline, module, new DiagnosticSink());
      if (manager.run(pipeline, after, new DiagnosticSink()) != after) {
        return "a second run changes the program again";
      }
      return Execution.of(module, GRID, 1).differenceFrom(Execution.of(after, GRID, 1));
    } catch (CompilerBug e) {
      return e.getMessage();
    }
  }
}
