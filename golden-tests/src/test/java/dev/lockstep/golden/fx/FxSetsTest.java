package dev.lockstep.golden.fx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.golden.run.CommandRun;
import dev.lockstep.tools.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The graphs of four ranks, by whole commands, against what gloo computed. */
class FxSetsTest {
  private static final Path FOLDER = Path.of("src/test/resources/real");

  private static String ranks(String name) {
    return FOLDER.resolve("fx/" + name + ".rank*.fx.txt").toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "vocab_parallel_embedding",
        "extra_multiply_on_rank0",
        "two_groups",
        "coalesced",
        "broadcast_and_permute",
        "fsdp_linear",
        "expert_all_to_all",
        "tensor_parallel_mlp"
      })
  void ranks_computeWhatGlooComputed(String name) {
    // gloo's matrix products are further from the exact ones than ours.
    CommandRun run =
        CommandRun.of(
            "",
            "run",
            "--ranks",
            ranks(name),
            "--input",
            FOLDER.resolve("fx/" + name + ".values.npz").toString(),
            "--check",
            "--rtol",
            "1e-4",
            "--atol",
            "1e-5");
    assertThat(run.err()).contains("0 differ");
    assertThat(run.exit()).isEqualTo(ExitCode.OK);
  }

  @Test
  void ranks_thatCallInOtherOrders_stall() {
    CommandRun run = CommandRun.of("", "run", "--ranks", ranks("divergent_order"), "--random", "1");
    assertThat(run.exit()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .contains("divergent_order.rank0.fx.txt:4:9")
        .contains("divergent_order.rank1.fx.txt:4:9")
        .contains("rank 0 waits in _c10d_functional.all_reduce for rank 1");
  }

  @Test
  void splitSizes_thatDoNotAddUp_areRefusedWithTheNumbers() {
    CommandRun run =
        CommandRun.of("", "verify", FOLDER + "/fx/permute_matrix_invalid.rank0.fx.txt");
    assertThat(run.exit()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .contains(
            "input_split_sizes is [0, 8, 0, 0], which adds up to 8 rows, but the tensor has 4");
  }

  @Test
  void log_holdsTheLastStageOfEachCompilation() {
    Path log = FOLDER.resolve("torch_logs/two_compilations.log");
    CommandRun run =
        CommandRun.of(
            "",
            "fingerprint",
            "--mutated-inputs",
            "--bind",
            "s77=4",
            "--bind",
            "s27=4",
            log.toString());
    // Forward and backward of two compilations, and what a third was after post-grad passes.
    assertThat(run.err()).contains("the text holds 5 graphs");
    assertThat(
            CommandRun.of(
                    "",
                    "verify",
                    "--mutated-inputs",
                    "--bind",
                    "s77=4",
                    "--bind",
                    "s27=4",
                    log.toString())
                .out())
        .contains("1 files, 1 ok, 0 failed");
  }
}
