package dev.lockstep.tools.verb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.tools.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole commands, from their words to their exit codes. */
final class VerbsTest {
  private static final String GOOD =
      """
      HloModule good, replica_count=4

      %add (a: f32[], b: f32[]) -> f32[] {
        %a = f32[] parameter(0)
        %b = f32[] parameter(1)
        ROOT %sum = f32[] add(f32[] %a, f32[] %b)
      }

      ENTRY %main (x: f32[2]) -> f32[2] {
        %x = f32[2] parameter(0)
        ROOT %all = f32[2] all-reduce(f32[2] %x), replica_groups={{0,1},{2,3}}, to_apply=%add
      }
      """;

  private static final String BAD =
      """
      HloModule bad
      ENTRY %main (x: f32[2]) -> f32[2] {
        ROOT %y = f32[2] negate(f32[2] %z)
      }
      """;

  @TempDir private Path folder;

  private final CommandRun command = new CommandRun();

  private int run(String input, String... arguments) {
    return command.runWith(input, arguments);
  }

  private String out() {
    return command.out();
  }

  private String err() {
    return command.err();
  }

  private String file(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, text);
    return file.toString();
  }

  @Test
  void opt_withoutPasses_printsTheProgram() {
    assertThat(run(GOOD, "opt", "-")).as(err()).isZero();
    assertThat(out()).contains("all-reduce(").contains("replica_groups={{0,1},{2,3}}");
    String printed = out();
    assertThat(run(printed, "opt")).isZero();
    assertThat(out()).isEqualTo(printed);
  }

  @Test
  void opt_ofABadProgram_pointsAndPrintsNothing() {
    assertThat(run(BAD, "opt", "-")).isEqualTo(1);
    assertThat(out()).isEmpty();
    assertThat(err()).contains("<stdin>:3:").contains("error[").contains("^");
  }

  @Test
  void opt_unknownPass_isADiagnostic() {
    assertThat(run(GOOD, "opt", "-", "--pipeline", "fly")).isEqualTo(64);
    assertThat(err()).startsWith("<pipeline>:1:1: error[pipeline]: no pass is called 'fly'");
  }

  @Test
  void opt_unknownFlag_isBadUsage() {
    assertThat(run(GOOD, "opt", "--fly", "-")).isEqualTo(64);
    assertThat(err()).isEqualTo("lockstep: unknown flag --fly; see lockstep opt --help\n");
    assertThat(run(GOOD, "opt", "--timming", "-")).isEqualTo(64);
    assertThat(err()).isEqualTo("lockstep: unknown flag --timming; did you mean '--timing'?\n");
  }

  @Test
  void opt_printIr_takesPassesThatThereAre() {
    assertThat(run(GOOD, "opt", "--print-ir-after=canonicalise", "--canonicalize")).isEqualTo(64);
    assertThat(err())
        .isEqualTo(
            "lockstep: --print-ir-after=canonicalise: no pass is called 'canonicalise'; did you"
                + " mean 'canonicalize'?\n");
    assertThat(run(GOOD, "opt", "--print-ir-before=dce", "--canonicalize")).isZero();
    assertThat(err())
        .isEqualTo("note: --print-ir-before=dce prints nothing: the pipeline has no dce\n");
  }

  @Test
  void folderWithoutPrograms_isNoSuccess() throws IOException {
    file("README.md", "words");
    for (String verb : new String[] {"verify", "opt", "comm", "fingerprint"}) {
      assertThat(run("", verb, folder.toString())).as(verb).isEqualTo(1);
      assertThat(err()).contains("error[input-missing]").contains("holds no program");
    }
  }

  @Test
  void verify_output_takesTheLines() throws IOException {
    Path lines = folder.resolve("lines.txt");
    assertThat(run(GOOD, "verify", "-", "-o", lines.toString())).isZero();
    assertThat(out()).isEmpty();
    assertThat(lines).content().isEqualTo("1 files, 1 ok, 0 failed\n");
  }

  @Test
  void opt_chunks_areTakenOneByOne() {
    assertThat(run(GOOD + "// -----\n" + BAD, "opt", "--split-input-file")).isEqualTo(1);
    assertThat(out()).contains("HloModule good").doesNotContain("// -----");
    assertThat(err()).contains("<stdin>:16:");
  }

  @Test
  void verifyRanks_emptyProgram_isNoRankLess() throws IOException {
    file("set.rank0.mlir", "func.func @main(%x: tensor<i32>) { return }");
    file("set.rank1.mlir", "");

    assertThat(run("", "verify", "--ranks", folder.toString())).isEqualTo(1);
    assertThat(err()).contains("set.rank1.mlir holds no program");
  }

  @Test
  void run_toleranceThatIsNone_isRefused() throws IOException {
    String good = file("good.hlo", GOOD);
    for (String word : new String[] {"-5", "NaN", "Infinity"}) {
      assertThat(run("", "run", good, "--rtol", word)).as(word).isEqualTo(64);
    }
  }

  @Test
  void handshake_wordsThatMeanNothing_areRefused() {
    assertThat(run("", "handshake", "status", "--coordinator", "127.0.0.1:99999")).isEqualTo(64);
    assertThat(run("", "handshake", "serve", "--world", "0")).isEqualTo(64);
    assertThat(run("", "handshake", "serve", "--world", "2", "--stage", "banana")).isEqualTo(64);
    assertThat(run("", "handshake", "dance")).isEqualTo(64);
  }

  @Test
  void opt_severalFiles_goIntoAFolder() throws IOException {
    String one = file("one.hlo", GOOD);
    String two = file("two.hlo", GOOD);

    assertThat(run("", "opt", one, two, "-o", folder.resolve("out") + "/")).as(err()).isZero();

    assertThat(folder.resolve("out/one.hlo")).exists();
    assertThat(folder.resolve("out/two.hlo")).exists();
    assertThat(run("", "opt", one, two, "-o", folder.resolve("x.hlo").toString())).isEqualTo(64);
  }

  @Test
  void translate_goesToStablehloAndBack() {
    assertThat(run(GOOD, "opt", "-", "--to", "stablehlo")).as(err()).isZero();
    String there = out();
    assertThat(there).contains("\"stablehlo.all_reduce\"(%arg0)").contains("mhlo.num_replicas = 4");
    assertThat(run(there, "translate", "-", "--to", "hlo")).as(err()).isZero();
    assertThat(out()).contains("replica_count=4").contains("replica_groups={{0,1},{2,3}}");
  }

  @Test
  void translate_refusesByNameAndPlace() {
    String text =
        """
        func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
          %0 = chlo.lgamma %x : tensor<2xf32> -> tensor<2xf32>
          return %0 : tensor<2xf32>
        }
        """;
    assertThat(run(text, "translate", "-", "--to", "hlo")).isEqualTo(1);
    assertThat(err()).contains("<stdin>:2:3: error[translate]: chlo.lgamma is not translated: ");
  }

  @Test
  void translate_writesProtosAndReadsThem(@TempDir Path folder) throws IOException {
    Path binary = folder.resolve("good.pb");
    assertThat(run(GOOD, "translate", "-", "--to", "hlo-proto", "-o", binary.toString()))
        .as(err())
        .isZero();
    assertThat(err()).contains("note: a proto does not say how many replicas");
    assertThat(run("", "translate", binary.toString(), "--to", "hlo-proto-text")).isZero();
    String text = out();
    assertThat(text).startsWith("name: ").contains("opcode: ");
    assertThat(run(text, "opt", "-", "--to", "hlo")).as(err()).isZero();
    String fromProto = out();
    assertThat(run(GOOD, "opt", "-")).isZero();
    assertThat(fromProto).isEqualTo(out().replace(", replica_count=4", ""));
    assertThat(run(GOOD, "translate", "-")).isEqualTo(64);
    assertThat(run(GOOD, "translate", "-", "--to", "onnx")).isEqualTo(64);
    assertThat(err()).contains("hlo-proto-text");
  }

  @Test
  void verify_countsFiles_oneLineAFailure() throws IOException {
    file("a.hlo", GOOD);
    String bad = file("b.hlo", BAD);
    file("README.md", "words");

    assertThat(run("", "verify", "--roundtrip", folder.toString())).isEqualTo(1);
    assertThat(out().lines()).hasSize(2).first().asString().startsWith(bad + ":3:");
    assertThat(out()).endsWith("2 files, 1 ok, 1 failed\n");
  }

  @Test
  void verify_json_isOneObject() throws IOException {
    String good = file("a.hlo", GOOD);

    assertThat(run("", "verify", good, "--json")).isZero();
    assertThat(out())
        .isEqualTo(
            """
            {"files":{"all":1,"ok":1,"failed":0},"failing":[],"diagnostics":[],"exit":0}
            """);
  }

  @Test
  void verify_bytecode_namesTheCommandForText() throws IOException {
    Path file = folder.resolve("p.mlirbc");
    Files.write(file, new byte[] {'M', 'L', (byte) 0xEF, 'R', 13, 'M', 'L', 'I', 'R', 0});

    assertThat(run("", "verify", file.toString())).isEqualTo(1);
    assertThat(err())
        .contains("error[format-bytecode]")
        .contains("stablehlo-opt " + file + " -o " + folder.resolve("p.mlir"));
  }

  @Test
  void comm_countsByKindAndGroups() {
    assertThat(run(GOOD, "comm", "-")).as(err()).isZero();
    assertThat(out())
        .isEqualTo(
            """
            kind        groups       loop  ops  runs  bytes  bytes of run
            all_reduce  {0,1} {2,3}  -       1     1      8             8
            total                            1     1      8             8
            """);
  }

  @Test
  void run_withoutArguments_saysHowToGiveThem() {
    assertThat(run(GOOD, "run", "-")).isEqualTo(64);
    assertThat(err())
        .isEqualTo("lockstep: the program takes 1 argument; give --input FILE or --random SEED\n");
  }

  @Test
  void run_check_saysOfEveryResultWhetherItIsAsExpected_andShowsNone() throws IOException {
    String values =
        file(
            "v.json",
            """
            {"in0": {"type": "f32", "shape": [2], "data": [1, 2]},
             "out0.dev0": {"type": "f32", "shape": [2], "data": [2, 4]},
             "out0.dev1": {"type": "f32", "shape": [2], "data": [2, 5]}}
            """);

    assertThat(run(GOOD, "run", "-", "--input", values, "--check")).isEqualTo(1);
    assertThat(out())
        .isEqualTo(
            """
            out0 on device 0: tensor<2xf32>, as expected
            out0 on device 1: tensor<2xf32>, differs
            out0 on devices 2, 3: tensor<2xf32>, not compared
            """);
    assertThat(err()).endsWith("2 values compared, 1 differ\n");
  }

  @Test
  void pjrt_withoutAPlugin_saysHowToGetOne() {
    assertThat(run("", "pjrt", "info", "--plugin", "no/such/plugin.so")).isEqualTo(69);
    assertThat(err()).contains("lockstep pjrt install cpu");
    assertThat(run(GOOD, "run", "-", "--random", "1", "--backend", "pjrt", "--plugin", "x.so"))
        .isEqualTo(69);
    assertThat(run("", "pjrt")).isEqualTo(64);
    assertThat(run("", "pjrt", "install", "gpu")).isEqualTo(64);
    assertThat(run("", "pjrt", "install", "cpu=nothing==1")).isEqualTo(64);
  }
}
