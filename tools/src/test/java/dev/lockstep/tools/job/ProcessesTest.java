package dev.lockstep.tools.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.tools.CommandRun;
import dev.lockstep.tools.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose ranks are processes, from words to exit codes. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ProcessesTest {
  private static final String SUM =
      """
        %sum = "stablehlo.all_reduce"(%z) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %s = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %s : tensor<f32>
          }) : (tensor<2xf32>) -> tensor<2xf32>
      """;

  private static final String GATHER =
      """
        %all = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
      """;

  /** Goes round for hours. */
  private static final String LONG =
      """
        %zero = stablehlo.constant dense<0> : tensor<i64>
        %many = stablehlo.constant dense<1000000000000> : tensor<i64>
        %one = stablehlo.constant dense<1> : tensor<i64>
        %rounds = stablehlo.while(%i = %zero) : tensor<i64>
        cond {
          %c = stablehlo.compare LT, %i, %many : (tensor<i64>, tensor<i64>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        } do {
          %n = stablehlo.add %i, %one : tensor<i64>
          stablehlo.return %n : tensor<i64>
        }
        %f = stablehlo.convert %rounds : (tensor<i64>) -> tensor<f32>
        %z = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<2xf32>
      """;

  @TempDir private Path folder;

  private final CommandRun command = new CommandRun();

  private static String program(String body, String result) {
    String type = result.equals("%all") ? "tensor<4xf32>" : "tensor<2xf32>";
    return "func.func @main(%x: tensor<2xf32>) -> "
        + type
        + " {\n"
        + body
        + "  return "
        + result
        + " : "
        + type
        + "\n}\n";
  }

  private static String plain() {
    return program("  %z = stablehlo.add %x, %x : tensor<2xf32>\n" + SUM, "%sum");
  }

  private static String scaled(String by) {
    return program(
        "  %y = stablehlo.add %x, %x : tensor<2xf32>\n"
            + "  %c = stablehlo.constant dense<"
            + by
            + "> : tensor<2xf32>\n"
            + "  %z = stablehlo.multiply %y, %c : tensor<2xf32>\n"
            + SUM,
        "%sum");
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private String set(String json) throws IOException {
    write("job.json", json);
    return folder.resolve("job.json").toString();
  }

  private int run(String... arguments) {
    return command.run(arguments);
  }

  private String out() {
    return command.out();
  }

  private String err() {
    return command.err();
  }

  /** Runs a job in one process and in one a rank, and compares what they print. */
  private void runsAlike(String set, String stage) {
    assertThat(run("run", "--ranks", set, "--random", "1")).as(err()).isEqualTo(ExitCode.OK);
    String expected = out();
    assertThat(run("run", "--ranks", set, "--random", "1", "--stage", stage))
        .as(err())
        .isEqualTo(ExitCode.OK);
    assertThat(out()).isEqualTo(expected);
  }

  @Test
  void aLoneRecompile_completes_atCompile() throws IOException {
    write("a.mlir", plain());
    write("b.mlir", scaled("5.0"));
    runsAlike(set("[[\"a.mlir\", \"a.mlir\"], [\"a.mlir\", \"b.mlir\"]]"), "compile");
    assertThat(err())
        .contains("verdict on program 0: fat: all of ranks [0,1] hold the same program")
        .contains("rank 1:")
        .contains("verdict on program 1: skinny: ranks [1] ask about a program here while");
  }

  @Test
  void divergenceAfterIteration_completes_atDispatch_withTheReason() throws IOException {
    write("a.mlir", plain());
    write("b.mlir", scaled("5.0"));
    runsAlike(
        set("[[\"a.mlir\", \"a.mlir\", \"a.mlir\"], [\"a.mlir\", \"b.mlir\", \"a.mlir\"]]"),
        "dispatch");
    assertThat(err())
        .contains("all 2 ranks:")
        .contains("verdict on program 1: partial: the programs differ in region [0] of 2")
        .contains("b.mlir:3:3: note[extra-op]: rank 1 has stablehlo.constant, rank 0 not")
        .contains("it runs in 2 segments")
        .contains("look for 'if rank == ...' in the model")
        .contains("verdict on program 2: fat");
  }

  @Test
  void literalsThatDiffer_areRepaired() throws IOException {
    write("s.rank0.mlir", scaled("2.0"));
    write("s.rank1.mlir", scaled("3.0"));
    runsAlike(folder.resolve("s.rank*.mlir").toString(), "compile");
    assertThat(err())
        .contains("verdict: repair: the programs differ in literals only")
        .contains("it runs whole, with literals that differ in tables");
  }

  @Test
  void ranksWithGraphBreaks_align_andRunApart() throws IOException {
    write("a.mlir", plain());
    write(
        "two.mlir",
        program(
            "  %z = stablehlo.add %x, %x : tensor<2xf32>\n"
                + SUM
                + SUM.replace("%sum =", "%more =").replace("(%z)", "(%x)"),
            "%more"));
    String json = "[[\"a.mlir\", \"a.mlir\"], [\"two.mlir\"]]";
    assertThat(run("run", "--ranks", set(json), "--random", "1", "--stage", "compile"))
        .as(err())
        .isEqualTo(ExitCode.OK);
    assertThat(err()).contains("skinny: rank").contains("cut that stretch differently");
  }

  @Test
  void withoutAHandshake_everyCollectiveIsApart() throws IOException {
    write("s.rank0.mlir", scaled("2.0"));
    write("s.rank1.mlir", plain());
    runsAlike(folder.resolve("s.rank*.mlir").toString(), "off");
    assertThat(err()).doesNotContain("verdict");
  }

  private static String stage(String receives, String sends) {
    String call =
        "stablehlo.custom_call @c10d.%s(%%x) {api_version = 4 : i32, has_side_effect = true,"
            + " backend_config = {peer = %s : i64, tag = 0 : i64}} : (tensor<2xf32>) -> %s\n";
    String got =
        receives.isEmpty()
            ? "  %z = stablehlo.add %x, %x : tensor<2xf32>\n"
            : "  %z = " + String.format(call, "recv", receives, "tensor<2xf32>");
    String gives = sends.isEmpty() ? "" : "  " + String.format(call, "send", sends, "()");
    return program(got + gives, "%z");
  }

  @Test
  void stagesOfAPipeline_stayInStep() throws IOException {
    write("p0.mlir", stage("", "1"));
    write("p1.mlir", stage("0", "2"));
    write("p2.mlir", stage("1", ""));
    write("all.mlir", plain().replace("[[0, 1]]", "[[0, 1, 2]]").replace("1x2xi64", "1x3xi64"));
    runsAlike(
        set(
            "[[\"p0.mlir\", \"all.mlir\"], [\"p1.mlir\", \"all.mlir\"],"
                + " [\"p2.mlir\", \"all.mlir\"]]"),
        "compile");
    assertThat(err())
        .contains("verdict on program 0: skinny: the programs differ")
        .contains("verdict on program 1: fat: all of ranks [0-2] hold the same program");
  }

  private static String rows(String operation) {
    return program("  %z = stablehlo." + operation + " %x, %x : tensor<2xf32>\n" + SUM, "%sum")
        .replace("[[0, 1]]", "[[0, 1], [2, 3]]")
        .replace("1x2xi64", "2x2xi64");
  }

  @Test
  void rowsOfAMesh_areDecidedAsOneText_andRunWholeWhereTheyDiffer() throws IOException {
    write("a.mlir", rows("add"));
    write("b.mlir", rows("multiply"));
    runsAlike(
        set(
            "[[\"a.mlir\", \"a.mlir\"], [\"a.mlir\", \"a.mlir\"],"
                + " [\"a.mlir\", \"b.mlir\"], [\"a.mlir\", \"b.mlir\"]]"),
        "dispatch");
    assertThat(err())
        .contains("all 4 ranks:", "verdict on program 0: fat: all of ranks [0-3] hold")
        .contains("verdict on program 1: partial: the programs differ in region [0] of 2")
        .doesNotContain("segments");
  }

  @Test
  void hiddenPrograms_areShownToNobody_andEveryCollectiveIsCut() throws IOException {
    write("s.rank0.mlir", scaled("2.0"));
    write("s.rank1.mlir", scaled("3.0"));
    String set = folder.resolve("s.rank*.mlir").toString();
    assertThat(run("run", "--ranks", set, "--random", "1")).as(err()).isZero();
    String expected = out();
    for (String stage : List.of("compile", "off")) {
      assertThat(run("run", "--ranks", set, "--random", "1", "--stage", stage, "--hide-programs"))
          .as(err())
          .isZero();
      assertThat(out()).isEqualTo(expected);
      assertThat(err())
          .contains("note: ranks 0, 1 hide programs (--hide-programs)")
          .doesNotContain("2.0", "3.0");
    }
  }

  /** Sums over rows that two devices share. */
  private static String shared(String operation) {
    return """
        module @shared attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
          sdy.mesh @mesh = <["x"=2]>
          func.func @main(%a: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<2xf32> {
            %zero = stablehlo.constant dense<0.0> : tensor<f32>
            %b = stablehlo.OPERATION %a, %a : tensor<4x2xf32>
            %sum = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x2xf32>, tensor<f32>) -> tensor<2xf32>
            return %sum : tensor<2xf32>
          }
        }
        """
        .replace("OPERATION", operation);
  }

  @Test
  void arraysThatDevicesShare_areBroughtTogether_whereAllHoldTheProgram() throws IOException {
    write("a.mlir", shared("add"));
    write("b.mlir", shared("multiply"));
    assertThat(run("run", folder.resolve("a.mlir").toString(), "--random", "1")).as(err()).isZero();
    String expected = out();
    for (String stage : List.of("compile", "off")) {
      String same = set("[[\"a.mlir\"], [\"a.mlir\"]]");
      assertThat(run("run", "--ranks", same, "--random", "1", "--stage", stage)).as(err()).isZero();
      assertThat(out()).isEqualTo(expected);
    }
    String other = set("[[\"a.mlir\"], [\"b.mlir\"]]");
    assertThat(run("run", "--ranks", other, "--random", "1", "--stage", "compile"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err())
        .contains("verdict: mismatch", "a program over arrays that devices share")
        .contains("a.mlir:6:", "b.mlir:5:");
    assertThat(run("run", "--ranks", other, "--random", "1", "--stage", "off"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err()).contains("error[shared-arrays]", "cannot be cut around them");
  }

  @Test
  void unlikeCollectives_areRefused_withBothLines() throws IOException {
    write(
        "s.rank0.mlir",
        program("  %z = stablehlo.add %x, %x : tensor<2xf32>\n" + SUM + GATHER, "%sum"));
    write(
        "s.rank1.mlir",
        program(GATHER + "  %z = stablehlo.add %x, %x : tensor<2xf32>\n" + SUM, "%sum"));
    String set = folder.resolve("s.rank*.mlir").toString();
    assertThat(run("run", "--ranks", set, "--random", "1", "--stage", "compile"))
        .as(err())
        .isEqualTo(ExitCode.FAILED);
    assertThat(err())
        .contains("verdict: mismatch: collective 0 of the program on group [0,1] is")
        .contains("s.rank0.mlir:8:3: ")
        .contains("s.rank1.mlir:2:3: ");
    assertThat(run("run", "--ranks", set, "--random", "1", "--stage", "off"))
        .as(err())
        .isEqualTo(ExitCode.FAILED);
    assertThat(err())
        .contains("error[collective-mismatch]: collective number 1 of the group [0, 1] differs");
  }

  @Test
  void aKilledRank_endsTheOthers_byName() throws Exception {
    write("s.rank0.mlir", plain());
    write("s.rank1.mlir", program(LONG + SUM, "%sum"));
    String set = folder.resolve("s.rank*.mlir").toString();
    CompletableFuture<Integer> running =
        CompletableFuture.supplyAsync(
            () -> run("run", "--ranks", set, "--random", "1", "--stage", "compile"));
    ProcessHandle victim = child("--rank 1 ", running);
    // It is in its loop, or about to be: rank 0 waits for it in any case.
    assertThat(victim.destroyForcibly()).isTrue();
    assertThat(running.get(2, TimeUnit.MINUTES)).as(err()).isEqualTo(ExitCode.PEER);
    assertThat(err()).contains("rank 1").contains("killed by signal 9");
    assertThat(children()).isEmpty();
  }

  @Test
  void aKilledStarter_leavesNobodyBehind() throws Exception {
    write("s.rank0.mlir", plain());
    write("s.rank1.mlir", program(LONG + SUM, "%sum"));
    Process starter =
        ThisJava.lockstep(
                List.of(
                    "run",
                    "--ranks",
                    folder.resolve("s.rank*.mlir").toString(),
                    "--random",
                    "1",
                    "--stage",
                    "off"))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<ProcessHandle> ranks = List.of();
    while (ranks.size() < 2 && starter.isAlive()) {
      Thread.sleep(20);
      ranks = starter.descendants().toList();
    }
    starter.destroyForcibly();
    assertThat(ranks).hasSize(2);
    for (ProcessHandle rank : ranks) {
      rank.onExit().get(1, TimeUnit.MINUTES);
    }
  }

  private List<ProcessHandle> children() {
    return ProcessHandle.current()
        .children()
        .filter(child -> commandLine(child).contains(folder.toString()))
        .toList();
  }

  private static String commandLine(ProcessHandle process) {
    return process.info().arguments().map(words -> String.join(" ", words) + " ").orElse("");
  }

  private ProcessHandle child(String words, CompletableFuture<?> running)
      throws InterruptedException {
    while (true) {
      assertThat(running).as(err()).isNotDone();
      for (ProcessHandle child : children()) {
        if (commandLine(child).contains(words)) {
          return child;
        }
      }
      Thread.sleep(20);
    }
  }
}
