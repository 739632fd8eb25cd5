package dev.lockstep.golden.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.golden.pjrt.OnPjrt;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.PassContext;
import dev.lockstep.pass.partition.PartitionsToReplicasPass;
import dev.lockstep.runtime.interp.EntryLayout;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.runtime.pjrt.PjrtClient;
import dev.lockstep.runtime.pjrt.PjrtPlugin;
import dev.lockstep.runtime.pjrt.PjrtRunner;
import dev.lockstep.runtime.values.ValueFile;
import dev.lockstep.tools.run.Results;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs of JAX and torch_xla on a plugin, against the values that XLA gave when recorded. */
final class RealOnPjrtTest {
  static Stream<Path> plugins() {
    return OnPjrt.plugins();
  }

  private static void check(PjrtClient client, Module module, DeviceGrid grid, String name)
      throws IOException {
    Program program = Program.of(module);
    ValueFile values = RealPrograms.values(name);
    try (PjrtRunner runner = PjrtRunner.compile(client, module, grid)) {
      Results results =
          Results.of(
              runner.run(Flattening.read(program, grid, values)), EntryLayout.of(program, grid));
      Results.Comparison comparison = results.compare(values, 1e-4, 1e-5);
      assertThat(comparison.differences()).as(name).isEmpty();
      assertThat(comparison.compared()).as(name).isPositive();
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void programs_giveTheValuesThatXlaGave(Path plugin) throws IOException {
    try (PjrtClient client = PjrtRunner.open(PjrtPlugin.load(plugin), 8, Map.of())) {
      for (String name : RealPrograms.jax()) {
        Module global = RealPrograms.read(name + ".stablehlo.mlir");
        check(client, global, new DeviceGrid(1, 8), name);
        Module replicas =
            PartitionsToReplicasPass.INSTANCE.run(
                RealPrograms.read(name + ".cpu.optimized.hlo"), PassContext.plain());
        check(client, replicas, new DeviceGrid(8, 1), name);
      }
      for (String name : RealPrograms.torchXla()) {
        check(client, RealPrograms.read(name + ".rank0.hlo"), new DeviceGrid(4, 1), name);
      }
    }
  }
}
