package dev.lockstep.tools.verb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.tools.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code opt --ranks}: pipelines over the programs of all ranks of a job. */
final class OptRanksTest {
  private static final String CALL = "{api_version = 4 : i32, has_side_effect = true, ";

  /** A program that swaps with a peer, and computes something that nobody uses. */
  private static String swap(int peer, boolean sendsFirst) {
    String config = CALL + "backend_config = {peer = " + peer + " : i64, tag = 0 : i64}}";
    String send = "  stablehlo.custom_call @c10d.send(%x) " + config + " : (tensor<2xf32>) -> ()\n";
    String receive =
        "  %r = stablehlo.custom_call @c10d.recv(%x) "
            + config
            + " : (tensor<2xf32>) -> tensor<2xf32>\n";
    return "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        + "  %unused = stablehlo.add %x, %x : tensor<2xf32>\n"
        + (sendsFirst ? send + receive : receive + send)
        + "  return %r : tensor<2xf32>\n}\n";
  }

  @TempDir private Path folder;

  private final CommandRun command = new CommandRun();

  private int run(String... arguments) {
    return command.run(arguments);
  }

  private String err() {
    return command.err();
  }

  private String make(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return file.toString();
  }

  private String result(String name) throws IOException {
    return Files.readString(folder.resolve("out").resolve(name));
  }

  private int opt(String set, String... more) {
    return run(
        Stream.concat(
                Stream.of("opt", "--ranks", folder.resolve(set).toString(), "-o", folder + "/out"),
                Stream.of(more))
            .toArray(String[]::new));
  }

  @Test
  void passes_runInTheOrderOfThePipeline() throws IOException {
    make("p.rank0.mlir", swap(1, true));
    make("p.rank1.mlir", swap(0, true));

    assertThat(opt("p.rank*.mlir", "--dce", "--lower-c10d", "--print-ir-after", "--verify-each"))
        .as(err())
        .isZero();
    String printed = err();
    int dce = printed.indexOf("// ---- 1: after dce (rank 0)");
    int dceOfOne = printed.indexOf("// ---- 1: after dce (rank 1)");
    int lowering = printed.indexOf("// ---- 2: after lower-c10d (ranks 0, 1)");
    assertThat(dce).isNotNegative().isLessThan(dceOfOne);
    assertThat(dceOfOne).isLessThan(lowering);
    assertThat(printed.substring(dce, lowering))
        .contains("@c10d.send")
        .doesNotContain("stablehlo.add");
    assertThat(result("p.rank0.mlir"))
        .contains("source_target_pairs = dense<[[0, 1], [1, 0]]>")
        .isEqualTo(result("p.rank1.mlir"));
  }

  @Test
  void optionsOfTheLowering_reachTheSet() throws IOException {
    make("p.rank0.mlir", swap(1, true));
    make("p.rank1.mlir", swap(0, true));

    assertThat(opt("p.rank*.mlir", "--pipeline", "lower-c10d{rendezvous=true}")).isEqualTo(1);
    assertThat(err()).contains("error[p2p-rendezvous]: sends that block would wait for ever");
    make("p.rank1.mlir", swap(0, false));
    assertThat(opt("p.rank*.mlir", "--lower-c10d=rendezvous=true")).as(err()).isZero();
  }

  @Test
  void timingAndCounts_areOfTheWholeSet() throws IOException {
    make("p.rank0.mlir", swap(1, true));
    make("p.rank1.mlir", swap(0, true));

    assertThat(opt("p.rank*.mlir", "--lower-c10d", "--dce", "--timing", "--stats")).isZero();
    assertThat(err()).contains("lower-c10d\n").contains("4  lower-c10d: calls lowered");
  }

  @Test
  void severalProgramsARank_areMatchedOneByOne_andKeepTheirNames() throws IOException {
    make("rank0/module_0001.a.before_optimizations.txt", swap(1, true));
    make("rank0/module_0007.b.before_optimizations.txt", swap(1, true));
    make("rank0/module_0007.b.after_optimizations.txt", "nothing that is read");
    make("rank1/module_0001.a.before_optimizations.txt", swap(0, true));
    make("rank1/module_0007.b.before_optimizations.txt", swap(0, true));

    assertThat(opt(".", "--lower-c10d")).as(err()).isZero();
    assertThat(result("rank1/module_0007.b.before_optimizations.txt"))
        .contains("collective_permute");
  }

  @Test
  void messageBetweenPrograms_isPointedAt() throws IOException {
    String config = CALL + "backend_config = {peer = %d : i64, tag = 0 : i64}}";
    String head = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n";
    String send =
        head
            + "  stablehlo.custom_call @c10d.send(%x) "
            + config.replace("%d", "1")
            + " : (tensor<2xf32>) -> ()\n  return %x : tensor<2xf32>\n}\n";
    String receive =
        head
            + "  %r = stablehlo.custom_call @c10d.recv(%x) "
            + config.replace("%d", "0")
            + " : (tensor<2xf32>) -> tensor<2xf32>\n  return %r : tensor<2xf32>\n}\n";
    String nothing = head + "  return %x : tensor<2xf32>\n}\n";
    make("a.mlir", send);
    make("b.mlir", nothing);
    make("c.mlir", receive);
    make("set.json", "[[\"a.mlir\", \"b.mlir\"], [\"b.mlir\", \"c.mlir\"]]");

    assertThat(opt("set.json", "--lower-c10d")).isEqualTo(1);
    assertThat(err())
        .contains("a.mlir:2:3: error[p2p-unmatched]: rank 0 sends to rank 1 with tag 0")
        .contains("c.mlir:2:3: note: rank 1 receives it in its program number 1");
  }

  @Test
  void flagsThatFitNoSet_areRefused() throws IOException {
    make("p.rank0.mlir", swap(1, true));

    assertThat(opt("p.rank0.mlir", "--split-input-file")).isEqualTo(64);
    assertThat(run("opt", "--ranks", folder.resolve("p.rank0.mlir").toString())).isEqualTo(64);
    assertThat(opt("p.rank0.mlir", "other.mlir")).isEqualTo(64);
  }

  @Test
  void fileThatSeveralRanksRun_becomesAsManyFilesAsPrograms() throws IOException {
    String send = swap(1, true).replaceAll("  %r =.*\n", "").replace("return %r", "return %x");
    String receive = swap(0, true).replaceAll("  stablehlo.custom_call @c10d.send.*\n", "");
    make("a.mlir", send);
    make("b.mlir", receive);
    make("c.mlir", swap(0, true).replaceAll(".*c10d.*\n", "").replace("return %r", "return %x"));
    make(
        "set.json",
        "[[\"a.mlir\", \"c.mlir\"], [\"b.mlir\", \"c.mlir\"], [\"c.mlir\", \"c.mlir\"]]");

    assertThat(opt("set.json", "--lower-c10d", "--dce")).as(err()).isZero();
    assertThat(result("a.mlir")).contains("collective_permute");
    assertThat(result("c.mlir")).doesNotContain("collective_permute");
    assertThat(result("rank2/c.mlir")).contains("collective_permute");
  }
}
