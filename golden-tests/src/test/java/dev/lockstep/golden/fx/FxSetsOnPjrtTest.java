package dev.lockstep.golden.fx;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.golden.pjrt.OnPjrt;
import dev.lockstep.golden.run.CommandRun;
import dev.lockstep.testing.CorpusFiles;
import dev.lockstep.tools.ExitCode;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The programs of four ranks on a plugin, by whole commands, against what gloo and XLA computed.
 */
final class FxSetsOnPjrtTest {
  private static final ImmutableList<String> FX =
      ImmutableList.of(
          "vocab_parallel_embedding",
          "extra_multiply_on_rank0",
          "two_groups",
          "coalesced",
          "broadcast_and_permute",
          "fsdp_linear",
          "expert_all_to_all",
          "tensor_parallel_mlp");

  private static final ImmutableList<String> TORCH_XLA =
      ImmutableList.of("all_gather", "all_reduce_groups", "pg_broadcast", "reduce_scatter");

  static Stream<Path> plugins() {
    return OnPjrt.plugins();
  }

  private static Path corpus(String file) {
    return CorpusFiles.file("real/" + file);
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void ranks_computeOnThePluginWhatGlooComputed(Path plugin) {
    for (String name : FX) {
      Path first = corpus("fx/" + name + ".rank0.fx.txt");
      CommandRun run =
          CommandRun.of(
              "",
              "run",
              "--ranks",
              first.resolveSibling(name + ".rank*.fx.txt").toString(),
              "--input",
              first.resolveSibling(name + ".values.npz").toString(),
              "--backend",
              "pjrt",
              "--plugin",
              plugin.toString(),
              "--check",
              "--rtol",
              "1e-4",
              "--atol",
              "1e-5");
      assertThat(run.err()).as(name).contains("0 differ");
      assertThat(run.exit()).as(run.err()).isEqualTo(ExitCode.OK);
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void ranksOfTorchXla_giveOnThePluginWhatTheyGiveOnTheInterpreter(Path plugin) {
    for (String name : TORCH_XLA) {
      for (String ending : new String[] {".hlo", ".mlir"}) {
        Path first = corpus("torch_xla/" + name + ".rank0.hlo");
        if (!first.resolveSibling(name + ".rank0" + ending).toFile().exists()) {
          continue;
        }
        CommandRun run =
            CommandRun.of(
                "",
                "run",
                "--ranks",
                first.resolveSibling(name + ".rank*" + ending).toString(),
                "--random",
                "1",
                "--compare",
                "--plugin",
                plugin.toString());
        assertThat(run.err()).as(name + ending).contains(" 0 differ");
        assertThat(run.exit()).as(run.err()).isEqualTo(ExitCode.OK);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void ranksThatStall_areRefusedBeforeTheyReachThePlugin(Path plugin) {
    Path first = corpus("fx/divergent_order.rank0.fx.txt");
    CommandRun run =
        CommandRun.of(
            "",
            "run",
            "--ranks",
            first.resolveSibling("divergent_order.rank*.fx.txt").toString(),
            "--random",
            "1",
            "--backend",
            "pjrt",
            "--plugin",
            plugin.toString());
    assertThat(run.exit()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("rank 0 waits in _c10d_functional.all_reduce for rank 1");
  }
}
