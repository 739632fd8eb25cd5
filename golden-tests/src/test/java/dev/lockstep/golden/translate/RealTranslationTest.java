package dev.lockstep.golden.translate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.translate.Translation;
import dev.lockstep.runtime.interp.EntryLayout;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.runtime.values.ValueFile;
import dev.lockstep.tools.run.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs that XLA compiled for JAX and torch_xla, as StableHLO and as HLO again. */
final class RealTranslationTest {
  private static final Path FOLDER = Path.of("src/test/resources/real");

  @ParameterizedTest
  @CsvSource({
    "jax/collectives_grad.cpu.optimized.hlo, jax/collectives_grad, 1, 8",
    "jax/llama2l.cpu.optimized.hlo, jax/llama2l, 1, 8",
    "torch_xla/all_reduce_groups.rank0.hlo, torch_xla/all_reduce_groups, 4, 1",
    "torch_xla/all_to_all.rank0.hlo, torch_xla/all_to_all, 4, 1",
    "torch_xla/all_to_all_array.rank0.hlo, torch_xla/all_to_all_array, 4, 1",
    "torch_xla/collective_permute.rank0.hlo, torch_xla/collective_permute, 4, 1",
    "torch_xla/pg_reduce_scatter.rank0.hlo, torch_xla/pg_reduce_scatter, 4, 1",
  })
  void programs_giveTheValuesThatXlaGave(String file, String values, int replicas, int partitions)
      throws IOException {
    Module program = Texts.read(Source.of(file, Files.readAllBytes(FOLDER.resolve(file))));
    Module there = Translation.to(Syntax.STABLEHLO, program);
    ValueFile expected = ValueFile.read(FOLDER.resolve(values + ".values.npz"));
    check(there, new DeviceGrid(replicas, partitions), expected);
    check(Translation.to(Syntax.HLO, there), new DeviceGrid(replicas, partitions), expected);
  }

  private static void check(Module module, DeviceGrid grid, ValueFile expected) {
    Program program = Program.of(Texts.read(Source.of("translated", Texts.print(module))));
    Results results =
        Results.of(
            GridInterpreter.run(
                program,
                grid,
                Flattening.read(program, grid, expected),
                InterpreterOptions.DEFAULT),
            EntryLayout.of(program, grid));
    Results.Comparison comparison = results.compare(expected, 1e-4, 1e-5);
    assertThat(comparison.differences()).isEmpty();
    assertThat(comparison.compared()).isPositive();
  }
}
