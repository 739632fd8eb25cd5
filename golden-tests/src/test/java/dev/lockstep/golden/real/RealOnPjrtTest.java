package dev.lockstep.golden.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.golden.pjrt.OnPjrt;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.text.Texts;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs of JAX and torch_xla on a plugin, against the values that XLA gave when recorded. */
final class RealOnPjrtTest {
  private static final Path FOLDER = Path.of("src/test/resources/real");

  private static final ImmutableList<String> JAX =
      ImmutableList.of("jax/collectives_grad", "jax/llama2l");

  private static final ImmutableList<String> TORCH =
      ImmutableList.of(
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
          "reduce_scatter");

  static Stream<Path> plugins() {
    return OnPjrt.plugins();
  }

  private static Module read(String file) throws IOException {
    return Texts.read(Source.of(file, Files.readAllBytes(FOLDER.resolve(file))));
  }

  private static void check(PjrtClient client, Module module, DeviceGrid grid, String valueFile)
      throws IOException {
    Program program = Program.of(module);
    ValueFile values = ValueFile.read(FOLDER.resolve(valueFile));
    try (PjrtRunner runner = PjrtRunner.compile(client, module, grid)) {
      Results results =
          Results.of(
              runner.run(Flattening.read(program, grid, values)), EntryLayout.of(program, grid));
      Results.Comparison comparison = results.compare(values, 1e-4, 1e-5);
      assertThat(comparison.differences()).as(valueFile).isEmpty();
      assertThat(comparison.compared()).as(valueFile).isPositive();
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void programs_giveTheValuesThatXlaGave(Path plugin) throws IOException {
    try (PjrtClient client = PjrtRunner.open(PjrtPlugin.load(plugin), 8, Map.of())) {
      for (String name : JAX) {
        String values = name + ".values.npz";
        check(client, read(name + ".stablehlo.mlir"), new DeviceGrid(1, 8), values);
        Module replicas =
            PartitionsToReplicasPass.INSTANCE.run(
                read(name + ".cpu.optimized.hlo"), PassContext.plain());
        check(client, replicas, new DeviceGrid(8, 1), values);
      }
      for (String name : TORCH) {
        check(
            client,
            read("torch_xla/" + name + ".rank0.hlo"),
            new DeviceGrid(4, 1),
            "torch_xla/" + name + ".values.npz");
      }
    }
  }
}
