package dev.lockstep.golden.fx;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.verify.Verifier;
import dev.lockstep.lower.fx.FxReader;
import dev.lockstep.lower.fx.graph.FxOptions;
import dev.lockstep.runtime.interp.EntryLayout;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.runtime.values.Tolerance;
import dev.lockstep.runtime.values.ValueFile;
import dev.lockstep.tools.run.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Graphs that {@code src/test/python/torch_fx_oracle.py} traced, with the values that torch
 * computed: layers, models, optimisers, losses, gradients and single operators.
 */
class TorchGraphsTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("lockstep.fx", "src/test/resources/real/torch"));

  /** torch multiplies matrices and sums in another order than we do. */
  private static final Tolerance TOLERANCE = new Tolerance(2e-4, 2e-5);

  static Stream<String> graphs() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".fx.txt"))
          .map(name -> name.substring(0, name.length() - ".fx.txt".length()))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("graphs")
  void graph_givesTheValuesOfTorch(String name) throws IOException {
    Path text = FOLDER.resolve(name + ".fx.txt");
    DiagnosticSink sink = new DiagnosticSink();
    Module module =
        FxReader.read(
            Source.of(name + ".fx.txt", Files.readAllBytes(text)),
            FxOptions.DEFAULT.withMutatedInputs(true),
            sink);
    Verifier.verify(module);
    String printed = Texts.print(module);
    assertThat(Texts.print(Texts.read(Source.of("printed", printed)))).isEqualTo(printed);
    Program program = Program.of(module);
    DeviceGrid grid = new DeviceGrid(1, 1);
    ValueFile values = ValueFile.read(FOLDER.resolve(name + ".values.npz"));
    ImmutableList<ImmutableList<Datum>> run =
        GridInterpreter.run(
            program, grid, Flattening.read(program, grid, values), InterpreterOptions.DEFAULT);
    Results results = Results.of(run, EntryLayout.of(program, grid));
    boolean narrow = printed.contains("xbf16>") || printed.contains("xf16>");
    Results.Comparison comparison =
        narrow
            ? results.compare(values, null, null)
            : results.compare(values, TOLERANCE.relative(), TOLERANCE.absolute());
    assertThat(comparison.differences()).isEmpty();
    assertThat(comparison.compared()).isPositive();
  }
}
