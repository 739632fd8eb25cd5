package dev.lockstep.tools.verb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lockstep.tools.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code split --estimate}. */
final class SplitEstimateTest {
  private static final String PROGRAM =
      """
      func.func @main(%x: tensor<8192x8192xbf16>, %w: tensor<2048x8192xbf16>) -> tensor<8192x8192xbf16> {
        %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<8192x8192xbf16>, tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16>
        %1 = stablehlo.custom_call @_c10d_functional.all_gather_into_tensor(%w) {api_version = 4 : i32, has_side_effect = true, backend_config = {groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}} : (tensor<2048x8192xbf16>) -> tensor<8192x8192xbf16>
        %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<8192x8192xbf16>, tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16>
        return %2 : tensor<8192x8192xbf16>
      }
      """;

  @TempDir private Path folder;

  private final CommandRun command = new CommandRun();

  private int run(String... arguments) {
    return command.runWith(PROGRAM, arguments);
  }

  @Test
  void table_saysWhatDivergenceAndAgreementCost() {
    assertThat(run("split", "-", "--replicas", "4", "--estimate", "--device", "v5p"))
        .as(command.err())
        .isZero();
    assertThat(command.out())
        .contains("4 x TPU v5p (4 replicas, 1 partitions)")
        .containsPattern("(?m)^fat +\\d+\\.\\d+ ms ")
        .containsPattern("(?m)^skinny +\\d+\\.\\d+ ms ")
        .containsPattern("(?m)^divergence costs .* to start 2 more segments$")
        .containsPattern("(?m)^agreement costs .* of memory")
        .contains("matmul_rate");
  }

  @Test
  void json_holdsEstimatesAndConstantsWithTheirSources() throws IOException {
    assertThat(run("split", "-", "--replicas", "4", "--estimate", "--device", "h100", "--json"))
        .isZero();
    JsonNode estimate = new ObjectMapper().readTree(command.out()).path("estimate");
    assertThat(estimate.path("skinny").path("seconds").asDouble())
        .isGreaterThan(estimate.path("fat").path("seconds").asDouble());
    assertThat(estimate.path("skinny").path("segments").asInt()).isEqualTo(3);
    assertThat(estimate.path("constants").path("memory_rate").path("source").asText())
        .contains("data sheet");
  }

  @Test
  void ranks_areEstimatedTogether() throws IOException {
    for (int rank = 0; rank < 4; rank++) {
      Files.writeString(folder.resolve("p.rank" + rank + ".mlir"), PROGRAM);
    }
    assertThat(run("split", "--ranks", folder.toString(), "--estimate", "--device", "v5e"))
        .as(command.err())
        .isZero();
    assertThat(command.out()).contains("4 x TPU v5e");
  }

  @Test
  void whatIsMissing_isNamed() {
    assertThat(run("split", "-", "--estimate")).isEqualTo(64);
    assertThat(run("split", "-", "--estimate", "--device", "v5p")).isEqualTo(64);
    assertThat(command.err()).contains("give --replicas and --partitions");
    assertThat(run("split", "-", "--replicas", "4", "--estimate", "--device", "abacus"))
        .isEqualTo(1);
    assertThat(command.err()).contains("abacus is no file, and none of the known devices v5e, v5p");
  }
}
