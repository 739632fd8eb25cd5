package dev.lockstep.golden.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.verify.Verifier;
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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values were recorded from XLA's CPU client; {@code real/NOTICE.md} says how. */
class RealProgramsTest {
  private static final Path FOLDER = Path.of("src/test/resources/real");

  /** XLA multiplies matrices in another order than we do. */
  private static final Tolerance TOLERANCE = new Tolerance(1e-4, 1e-5);

  private static Module read(String file) throws IOException {
    Module module = Texts.read(Source.of(file, Files.readAllBytes(FOLDER.resolve(file))));
    Verifier.verify(module);
    return module;
  }

  private static void check(Program program, DeviceGrid grid, String valueFile) throws IOException {
    ValueFile values = ValueFile.read(FOLDER.resolve(valueFile));
    ImmutableList<ImmutableList<Datum>> run =
        GridInterpreter.run(
            program, grid, Flattening.read(program, grid, values), InterpreterOptions.DEFAULT);
    Results results = Results.of(run, EntryLayout.of(program, grid));
    Results.Comparison comparison =
        results.compare(values, TOLERANCE.relative(), TOLERANCE.absolute());
    assertThat(comparison.differences()).isEmpty();
    assertThat(comparison.compared()).isEqualTo(results.byKey().size()).isPositive();
  }

  /** Partitioned, fused and scheduled by XLA for 8 partitions. */
  @ParameterizedTest
  @ValueSource(strings = {"jax/collectives_grad", "jax/llama2l"})
  void optimizedProgramsGiveTheValuesOfXla(String name) throws IOException {
    check(
        Program.of(read(name + ".cpu.optimized.hlo")), new DeviceGrid(1, 8), name + ".values.npz");
  }

  /** As JAX writes them: over arrays that 8 devices share, with the shardings of each. */
  @ParameterizedTest
  @ValueSource(strings = {"jax/collectives_grad", "jax/llama2l"})
  void globalProgramsGiveTheValuesOfXla(String name) throws IOException {
    check(Program.of(read(name + ".stablehlo.mlir")), new DeviceGrid(1, 8), name + ".values.npz");
  }

  /**
   * One function that maps over shards, as JAX writes it for either partitioner and in either
   * syntax; {@code partial} does so along one of two axes only.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "shard_map.sdy.mlir",
        "shard_map.sdy.hlo",
        "shard_map.gspmd.mlir",
        "shard_map.gspmd.hlo",
        "partial.sdy.mlir",
        "partial.sdy.hlo",
        "partial.gspmd.mlir",
        "partial.gspmd.hlo"
      })
  void partsAreMadeAndJoinedAsXlaDoes(String file) throws IOException {
    String values = file.substring(0, file.indexOf('.')) + ".values.npz";
    check(Program.of(read("sharded/" + file)), new DeviceGrid(1, 8), "sharded/" + values);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "all_reduce_groups",
        "all_reduce_sum",
        "all_to_all",
        "all_to_all_array",
        "collective_permute",
        "pg_all_gather",
        "pg_all_gather_into_tensor",
        "pg_all_reduce",
        "pg_all_to_all",
        "pg_broadcast",
        "pg_reduce_scatter",
        "reduce_scatter"
      })
  void torchXlaProgramsGiveTheValuesOfXla(String name) throws IOException {
    check(
        Program.of(read("torch_xla/" + name + ".rank0.hlo")),
        new DeviceGrid(4, 1),
        "torch_xla/" + name + ".values.npz");
  }

  /** The texts of the ranks differ in a padding; together they gather. */
  @ParameterizedTest
  @ValueSource(strings = {"hlo", "mlir"})
  void torchXlaRanksGatherAsASet(String syntax) throws IOException {
    List<Module> ranks = new ArrayList<>();
    List<ImmutableList<Datum>> arguments = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      Module module = read("torch_xla/all_gather.rank" + rank + "." + syntax);
      ranks.add(module);
      arguments.add(
          Flattening.pack(
              module.entryFunction().orElseThrow(),
              rank,
              (index, device, type) -> Literal.splatOf(type, index == 0 ? 0.0 : device + 1.0)));
    }
    ImmutableList<ImmutableList<Datum>> results =
        GridInterpreter.run(
            Program.ofRanks(ranks), new DeviceGrid(4, 1), arguments, InterpreterOptions.DEFAULT);
    for (ImmutableList<Datum> result : results) {
      Literal gathered = Flattening.flatten(result).get(0);
      assertThat(gathered.dims().asList()).containsExactly(8L, 3L);
      for (int i = 0; i < gathered.count(); i++) {
        int owner = i / 6;
        assertThat(gathered.getDouble(i)).isEqualTo(owner + 1.0);
      }
    }
  }
}
