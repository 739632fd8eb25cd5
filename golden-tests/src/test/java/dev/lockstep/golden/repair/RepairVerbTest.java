package dev.lockstep.golden.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.golden.run.CommandRun;
import dev.lockstep.testing.CorpusFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code diff --repair} on what torch and torch_xla really wrote. */
final class RepairVerbTest {
  @TempDir private Path folder;

  private CommandRun last = new CommandRun(0, "", "");

  private int run(String... arguments) {
    last = CommandRun.of("", arguments);
    return last.exit();
  }

  private String err() {
    return last.err();
  }

  private static String real(String name) {
    return CorpusFiles.root().resolve("real").resolve(name).toString();
  }

  private List<String> texts() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> !file.toString().endsWith(".npz"))
          .sorted()
          .map(RepairVerbTest::text)
          .toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "vocab_parallel_embedding",
        "broadcast_and_permute",
        "two_groups",
        "coalesced",
        "expert_all_to_all",
        "fsdp_linear",
        "tensor_parallel_mlp"
      })
  void torchsGraphs_becomeOneTextThatGivesWhatGlooGave(String name) throws IOException {
    assertThat(
            run("diff", real("fx/" + name + ".rank*.fx.txt"), "--repair", "-o", folder.toString()))
        .as(err())
        .isZero();

    assertThat(texts()).hasSize(4);
    assertThat(texts().stream().distinct()).hasSize(1);
    assertThat(
            run(
                "run",
                "--ranks",
                folder.toString(),
                "--input",
                real("fx/" + name + ".values.npz"),
                "--check",
                // torch multiplies matrices in another order than the interpreter.
                "--rtol",
                "1e-4",
                "--atol",
                "1e-5"))
        .as(err())
        .isZero();
  }

  @Test
  void offsetsOfAnEmbedding_areNamedAndBecomeArguments() throws IOException {
    String set = real("fx/vocab_parallel_embedding.rank*.fx.txt");

    assertThat(run("diff", set, "--repair", "--literals", "input", "-o", folder.toString()))
        .isZero();

    assertThat(err())
        .contains("0 on rank 0, 1024 on rank 1, 2048 on rank 2, 3072 on rank 3")
        .contains("an offset, 1024 * rank: an argument")
        .contains("in2 is new");
    assertThat(texts().stream().distinct()).hasSize(1);
    assertThat(folder.resolve("added.npz")).exists();
  }

  @Test
  void paddingsOfTorchXla_becomeOneTextWithTheSameValues() throws IOException {
    String set = real("torch_xla/all_gather.rank*.hlo");
    Path repaired = folder.resolve("repaired");

    assertThat(run("diff", set, "--repair", "-o", repaired.toString())).as(err()).isZero();

    Path before = folder.resolve("before.npz");
    Path after = folder.resolve("after.npz");
    assertThat(run("run", "--ranks", set, "--random", "7", "-o", before.toString())).isZero();
    assertThat(run("run", "--ranks", repaired.toString(), "--random", "7", "-o", after.toString()))
        .isZero();
    assertThat(Files.readAllBytes(after)).isEqualTo(Files.readAllBytes(before));
  }

  @Test
  void oneMoreOperation_isRefusedWithBothPlacesAndTheWayOn() throws IOException {
    String set = real("fx/extra_multiply_on_rank0.rank*.fx.txt");

    assertThat(run("diff", set, "--repair", "-o", folder.toString())).isEqualTo(1);

    assertThat(err())
        .contains("error[repair-extra-op]")
        .contains("one op more on rank 0, stablehlo.multiply")
        .contains("ranks 1-3: here")
        .contains("lockstep split");
    assertThat(texts()).isEmpty();
  }

  @Test
  void otherOrderOfCollectives_isRefused() {
    String set = real("fx/divergent_order.rank*.fx.txt");

    assertThat(run("diff", set, "--repair", "-o", folder.toString())).isEqualTo(1);

    assertThat(err()).contains("the ranks do not meet");
  }

  @Test
  void repairWithoutAFolder_isBadUsage() {
    assertThat(run("diff", real("fx/two_groups.rank*.fx.txt"), "--repair")).isEqualTo(64);
  }
}
