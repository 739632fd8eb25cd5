package dev.lockstep.tools.verb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.tools.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Splitting and running what was split, from words to exit codes. */
final class SplitVerbTest {
  private static final String GATHER =
      """
          %%%s = "stablehlo.all_gather"(%%%s) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
      """;

  private static final String BEGIN =
      """
      module attributes {mhlo.num_replicas = 2 : i32} {
        func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      """;

  private static final String END =
      """
          return %a, %b : tensor<4xf32>, tensor<4xf32>
        }
      }
      """;

  private static final String PLAIN =
      BEGIN + GATHER.formatted("a", "x") + GATHER.formatted("b", "y") + END;

  /** Issues the same collectives; the second needs an operation that stands between both. */
  private static final String EXTRA =
      BEGIN
          + GATHER.formatted("a", "x")
          + "    %z = stablehlo.negate %y : tensor<2xf32>\n"
          + GATHER.formatted("b", "z")
          + END;

  @TempDir private Path folder;

  @BeforeEach
  void writePrograms() throws IOException {
    write("step.rank0.mlir", EXTRA);
    write("step.rank1.mlir", PLAIN);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private final CommandRun command = new CommandRun();

  private int run(String... arguments) {
    return command.run(arguments);
  }

  private String set() {
    return folder.resolve("step.rank*.mlir").toString();
  }

  private String plan() {
    return folder.resolve("plan").toString();
  }

  private String out() {
    return command.out();
  }

  private String err() {
    return command.err();
  }

  /** torch_tpu's splitter would run rank 1's second collective first, and rank 0's not. */
  @Test
  void split_independentCollectives_keepTheirOrderOnEveryRank() {
    assertThat(run("split", "--ranks", set(), "--mode", "skinny", "-o", plan())).isZero();
    assertThat(out())
        .isEqualTo(
            """
            segment   ranks  kind        in  out  donated  collectives
            s0        all    collective   1    1        0  stablehlo.all_gather
            s1.rank0  0      compute      1    1        0  -
            s2        all    collective   1    1        0  stablehlo.all_gather
            rank 0 runs 3 segments, 3 values come from them
            rank 1 runs 2 segments, 2 values come from them
            """);
    assertSameValues();
  }

  @Test
  void split_auto_cutsAroundTheOneRegion() {
    assertThat(run("split", "--ranks", set(), "-o", plan())).isZero();
    assertThat(out()).contains("s1.rank0  0      compute").contains("s2        all");
    assertSameValues();
  }

  private void assertSameValues() {
    assertThat(run("run", "--ranks", set(), "--random", "1")).isZero();
    String whole = out();
    assertThat(run("run", plan(), "--random", "1")).as(err()).isZero();
    assertThat(out()).isEqualTo(whole);
    assertThat(run("run", plan() + "/plan.json", "--random", "1")).isZero();
    assertThat(out()).isEqualTo(whole);
  }

  /** All that these programs do is the one collective: the segment is the program, and is not. */
  @Test
  void split_programsThatGatherTheirOwnConstants_giveEachRankItsOwn() throws IOException {
    String constant = "    %%c = stablehlo.constant dense<%s> : tensor<2xf32>\n";
    String gather = GATHER.formatted("a", "c") + END.replace("%b", "%a");
    write("step.rank0.mlir", BEGIN + constant.formatted("1.0") + gather);
    write("step.rank1.mlir", BEGIN + constant.formatted("0.0") + gather);
    for (String mode : List.of("skinny", "auto")) {
      assertThat(run("split", "--ranks", set(), "--mode", mode, "-o", plan())).as(err()).isZero();
      assertThat(out()).contains("s1        all    collective   1");
      assertSameValues();
    }
  }

  @Test
  void split_fatOfProgramsThatDiffer_isRefusedWithBothPlaces() {
    assertThat(run("split", "--ranks", set(), "--mode", "fat")).isEqualTo(1);
    assertThat(err()).contains("step.rank0.mlir:4:5: error[split-fat]").contains("rank 1 has this");
  }

  @Test
  void split_ranksThatDoNotMeet_isRefused() throws IOException {
    write(
        "step.rank0.mlir",
        BEGIN
            + "    %z = \"stablehlo.collective_permute\"(%x) <{source_target_pairs ="
            + " dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>\n"
            + GATHER.formatted("a", "x")
            + GATHER.formatted("b", "z")
            + END);
    assertThat(run("split", "--ranks", set(), "-o", plan())).isEqualTo(1);
    assertThat(err()).contains("error[ranks-stall]").contains("nothing was split");
    assertThat(folder.resolve("plan")).doesNotExist();
  }

  @Test
  void run_planThatStalls_namesTheSegment() throws IOException {
    run("split", "--ranks", set(), "--mode", "skinny", "-o", plan());
    Path file = folder.resolve("plan/plan.json");
    String json = Files.readString(file);
    int at = json.lastIndexOf("}, {\n      \"segment\" : \"s2\"");
    int end = json.indexOf("} ]", at);
    Files.writeString(
        file,
        (json.substring(0, at) + json.substring(end))
            .replace("[ \"v0\", \"v1\" ]", "[ \"v0\", \"v0\" ]"));
    assertThat(run("run", plan(), "--random", "1")).isEqualTo(1);
    assertThat(err())
        .contains("device 0 waits in stablehlo.all_gather of segment s2 for device 1")
        .contains("device 1 has finished");
  }

  @Test
  void run_damagedPlans_sayWhatIsWrong() throws IOException {
    run("split", "--ranks", set(), "--mode", "skinny", "-o", plan());
    String json = Files.readString(folder.resolve("plan/plan.json"));
    assertDamaged(
        json.substring(0, json.length() / 2),
        "expected the end of a string, and the text ends here");
    assertDamaged("[]", "must hold one object");
    assertDamaged(json.replace("plan/1", "plan/9"), "schema is lockstep-plan/9");
    assertDamaged(json.replace("\"skinny\"", "\"thin\""), "mode is thin, which is none");
    assertDamaged(json.replace("s1.rank0.mlir", "../x.mlir"), "segments[1].file is ../x.mlir");
    assertDamaged(json.replace("\"compute\"", "\"mixed\""), "holds 0 collectives");
    assertDamaged(
        json.replaceFirst("\"segment\" : \"s0\"", "\"segment\" : \"s7\""),
        "plans[0].steps[0].segment is s7, which is not listed");
    assertDamaged(json.replaceFirst("\"in0\" ]", "\"in5\" ]"), "takes in5, which nothing gives");
    assertDamaged(json.replace("\"ranks\" : [ 1 ]", "\"ranks\" : [ 0 ]"), "a rank has two plans");
    assertDamaged(json.replace("\"ranks\" : [ 1 ]", "\"ranks\" : [ 2 ]"), "must be for 0 to 1");
    assertDamaged(
        json.replaceFirst("\"inputs\" : \\[ \"tensor<2xf32>\" \\]", "\"inputs\" : [ ]"),
        "segments[0].inputs is [], and s0.mlir has [tensor<2xf32>]");
  }

  private void assertDamaged(String json, String message) throws IOException {
    write("plan/plan.json", json);
    assertThat(run("run", plan(), "--random", "1")).as(json).isEqualTo(1);
    assertThat(err())
        .containsPattern("plan.json:\\d+:\\d+: error\\[plan-file\\]")
        .contains(message)
        .doesNotContain("com.fasterxml");
  }

  @Test
  void run_severalProgramsOfARank_oneAfterTheOther() throws IOException {
    write(
        "ranks.json",
        "[[\"step.rank0.mlir\", \"step.rank1.mlir\"], [\"step.rank1.mlir\","
            + " \"step.rank1.mlir\"]]");
    String set = folder.resolve("ranks.json").toString();
    assertThat(run("run", "--ranks", set, "--random", "1")).as(err()).isZero();
    String whole = out();
    assertThat(whole).contains("out3");
    for (String mode : new String[] {"skinny", "auto"}) {
      assertThat(run("split", "--ranks", set, "--mode", mode, "-o", plan())).as(err()).isZero();
      assertThat(run("run", plan(), "--random", "1")).as(err()).isZero();
      assertThat(out()).as(mode).isEqualTo(whole);
    }
  }

  @Test
  void split_verdicts_sayTheMode() throws IOException {
    String file = folder.resolve("step.rank1.mlir").toString();
    assertThat(verdict("\"skinny\"", file)).isZero();
    assertThat(out()).contains("s0       all    collective").contains("s1       all    collective");
    assertThat(verdict("\"fat\"", file)).isZero();
    assertThat(out()).contains("every rank runs 1 segment");
    assertThat(verdict("\"partial\", \"regions\": [1]", file)).isEqualTo(1);
    assertThat(err()).contains("a partial verdict needs the programs of all ranks");
    assertThat(verdict("\"partial\", \"regions\": [0, 1]", "--ranks", set())).isZero();
    assertThat(verdict("\"repair\"", file)).isEqualTo(1);
    assertThat(err()).contains("diff --repair");
    assertThat(verdict("\"thin\"", file)).isEqualTo(1);
    assertThat(err()).contains("must be one of fat, skinny, partial, repair");
  }

  private int verdict(String words, String... what) throws IOException {
    Path file =
        write("verdict.json", "{\"schema\": \"lockstep-verdict/1\", \"verdict\": " + words + "}");
    List<String> all = new java.util.ArrayList<>(List.of("split", "--verdict", file.toString()));
    all.addAll(List.of(what));
    return run(all.toArray(new String[0]));
  }

  @Test
  void split_oneText_neighboursShareASegmentAndOthersDoNot() {
    assertThat(run("split", folder.resolve("step.rank1.mlir").toString(), "--mode", "skinny"))
        .isZero();
    assertThat(out()).contains("2 stablehlo.all_gather").contains("every rank runs 1 segment");
    assertThat(run("split", folder.resolve("step.rank0.mlir").toString(), "--json")).isZero();
    assertThat(out()).contains("\"schema\":\"lockstep-plan/1\"").contains("\"ranks\":\"all\"");
  }

  @Test
  void split_donatedArguments_goToTheirLastUser() throws IOException {
    Path file =
        write(
            "donated.mlir",
            EXTRA
                .replace("%x: tensor<2xf32>", "%x: tensor<2xf32> {jax.buffer_donor = true}")
                .replace("%y: tensor<2xf32>", "%y: tensor<2xf32> {tf.aliasing_output = 1 : i32}"));
    assertThat(run("split", file.toString(), "--mode", "skinny", "-o", plan())).isZero();
    assertThat(Files.readString(folder.resolve("plan/s0.mlir")))
        .contains("(%arg0: tensor<2xf32> {jax.buffer_donor = true})");
    // The output that it aliases is given elsewhere; the memory may still be taken over.
    assertThat(Files.readString(folder.resolve("plan/s1.mlir")))
        .contains("(%arg0: tensor<2xf32> {jax.buffer_donor = true})");
    assertThat(Files.readString(folder.resolve("plan/s2.mlir"))).contains("(%arg0: tensor<2xf32>)");
  }

  @Test
  void split_locations_areKept() throws IOException {
    Path file =
        write(
            "placed.mlir",
            EXTRA.replace(
                "stablehlo.negate %y : tensor<2xf32>",
                "stablehlo.negate %y : tensor<2xf32> loc(\"model.py\":7:3)"));
    assertThat(run("split", file.toString(), "--mode", "skinny", "-o", plan())).isZero();
    assertThat(Files.readString(folder.resolve("plan/s1.mlir"))).contains("\"model.py\":7:3");
    assertThat(run("verify", plan())).as(err()).isZero();
  }

  @Test
  void ranksThatSendToEachOther_areLoweredTogether_andRun() throws IOException {
    for (int rank = 0; rank < 2; rank++) {
      write(
          "swap.rank" + rank + ".mlir",
          """
          func.func @main(%%x: tensor<2xf32>, %%buffer: tensor<2xf32>) -> tensor<2xf32> {
            stablehlo.custom_call @c10d.send(%%x) {api_version = 4 : i32, has_side_effect = true, backend_config = {peer = %d : i64, tag = 0 : i64}} : (tensor<2xf32>) -> ()
            %%got = stablehlo.custom_call @c10d.recv(%%buffer) {api_version = 4 : i32, has_side_effect = true, backend_config = {peer = %d : i64, tag = 0 : i64}} : (tensor<2xf32>) -> tensor<2xf32>
            return %%got : tensor<2xf32>
          }
          """
              .formatted(1 - rank, 1 - rank));
    }
    String plan = folder.resolve("plan").toString();
    String swap = folder.resolve("swap.rank*.mlir").toString();
    for (String mode : List.of("skinny", "auto", "fat")) {
      assertThat(run("split", "--ranks", swap, "--mode", mode, "-o", plan))
          .as(mode + command.err())
          .isEqualTo(0);
      assertThat(command.err()).contains("since ranks send to each other");
      assertThat(run("run", plan, "--random", "1")).as(mode + command.err()).isEqualTo(0);
    }
  }
}
