package dev.lockstep.golden.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.runtime.interp.EntryLayout;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.runtime.values.Tolerance;
import dev.lockstep.runtime.values.ValueFile;
import dev.lockstep.tools.run.Results;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link RealPrograms} on the interpreter. */
class RealProgramsTest {
  /** XLA multiplies matrices in another order than we do. */
  private static final Tolerance TOLERANCE = new Tolerance(1e-4, 1e-5);

  private static void check(Program program, DeviceGrid grid, String name) throws IOException {
    ValueFile values = RealPrograms.values(name);
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
  @MethodSource("dev.lockstep.golden.real.RealPrograms#jax")
  void optimizedProgramsGiveTheValuesOfXla(String name) throws IOException {
    check(Program.of(RealPrograms.read(name + ".cpu.optimized.hlo")), new DeviceGrid(1, 8), name);
  }

  /** As JAX writes them: over arrays that 8 devices share, with the shardings of each. */
  @ParameterizedTest
  @MethodSource("dev.lockstep.golden.real.RealPrograms#jax")
  void globalProgramsGiveTheValuesOfXla(String name) throws IOException {
    check(Program.of(RealPrograms.read(name + ".stablehlo.mlir")), new DeviceGrid(1, 8), name);
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
    String name = "sharded/" + file.substring(0, file.indexOf('.'));
    check(Program.of(RealPrograms.read("sharded/" + file)), new DeviceGrid(1, 8), name);
  }

  @ParameterizedTest
  @MethodSource("dev.lockstep.golden.real.RealPrograms#torchXla")
  void torchXlaProgramsGiveTheValuesOfXla(String name) throws IOException {
    check(Program.of(RealPrograms.read(name + ".rank0.hlo")), new DeviceGrid(4, 1), name);
  }

  /** The texts of the ranks differ in a padding; together they gather. */
  @ParameterizedTest
  @ValueSource(strings = {"hlo", "mlir"})
  void torchXlaRanksGatherAsASet(String syntax) throws IOException {
    List<Module> ranks = new ArrayList<>();
    List<ImmutableList<Datum>> arguments = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      Module module = RealPrograms.read("torch_xla/all_gather.rank" + rank + "." + syntax);
      ranks.add(module);
      arguments.add(
          Flattening.pack(
              module.requireEntry(),
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
