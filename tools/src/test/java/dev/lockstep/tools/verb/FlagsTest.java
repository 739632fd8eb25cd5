package dev.lockstep.tools.verb;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import dev.lockstep.tools.CommandLineRunner;
import dev.lockstep.tools.Console;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flags that are taken, and flags that would do nothing and are therefore refused. */
final class FlagsTest {
  private static final String PROGRAM =
      """
      module attributes {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 1 : i32} {
        func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
          return %x : tensor<2xf32>
        }
      }
      """;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(List<String> words, String input) {
    out.reset();
    err.reset();
    return CommandLineRunner.run(
        words,
        new Console(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            false));
  }

  private int run(String words) {
    return run(Splitter.on(' ').splitToList(words), PROGRAM);
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "run - --random 1 --rank 1, --rank needs --stage",
    "run - --random 1 --deadline 3, --deadline needs --stage",
    "run - --random 1 --hide-programs, --hide-programs needs --stage",
    "verify - --rendezvous, --rendezvous needs --ranks",
    "diff a b --literals table, --literals needs --repair",
    "diff a b --table-limit 4, --table-limit needs --repair",
    "diff a b --repair -o x --all, --all does not go with --repair",
    "handshake serve --world 2 --rank 1, --rank does not go with handshake serve",
    "handshake serve --world 2 --ranks x, --ranks does not go with handshake serve",
    "handshake join x --metrics 5, --metrics does not go with handshake join",
    "handshake status --listen a:1, --listen does not go with handshake status",
    "handshake simulate --ranks x --world 2, --world does not go with handshake simulate",
    "handshake serve --world 2 --aggregate 0, '--aggregate is 0, must be at least 1'",
    "pjrt info --from x, --from does not go with pjrt info",
    "pjrt install cpu --plugin x, --plugin does not go with pjrt install",
  })
  void flagsThatDoNothing_areRefused(String words, String message) {
    assertThat(run(words)).as(err()).isEqualTo(64);
    assertThat(err()).isEqualTo("lockstep: " + message + "\n");
  }

  @ParameterizedTest
  @CsvSource({
    "opt - --groups",
    "run - --input",
    "verify --ranks",
    "split - --verdict",
    "split - --estimate --device",
    "pjrt info --plugin",
    "pjrt install --from",
    "handshake serve --world 1 --port-file",
    "handshake serve --world 1 --tls-cert",
  })
  void emptyNamesOfFiles_areRefused(String words) {
    assertThat(run(words + " ")).as(err()).isEqualTo(64);
    String flag = words.substring(words.lastIndexOf(' ') + 1);
    assertThat(err()).isEqualTo("lockstep: " + flag + " needs the name of a file\n");
  }

  @ParameterizedTest
  @CsvSource({
    "comm - --json --json, --json is given twice",
    "run - -o a.npz -o b.npz, --output is given twice",
    "comm, FILE is missing",
    "verify --ranks, --ranks needs SET",
    "verify --ranks --, --ranks needs a value; '--' is none",
    "opt --replicas x, invalid value for option '--replicas': 'x' is no whole number; or too large",
  })
  void misspelledCommands_areToldInOurWords(String words, String message) {
    assertThat(run(words)).isEqualTo(64);
    assertThat(err())
        .startsWith("lockstep: " + message.replace("number; or", "number, or") + "; see lockstep ");
  }

  @Test
  void help_isAVerbToo() {
    assertThat(run("help opt")).isZero();
    assertThat(out()).startsWith("Usage: lockstep opt ");
    assertThat(run("help")).isZero();
    assertThat(out()).startsWith("Usage: lockstep [-hV] VERB");
    assertThat(run("help fly")).isEqualTo(64);
    assertThat(err()).contains("no verb is called 'fly'");
  }

  @Test
  void flagsThatArePasses_areProposedToo() {
    assertThat(run("opt - --lower-c10")).isEqualTo(64);
    assertThat(err())
        .isEqualTo("lockstep: unknown flag --lower-c10; did you mean '--lower-c10d'?\n");
  }

  @Test
  void pipelines_areFlags() {
    assertThat(run("opt - --pipeline fly")).isEqualTo(64);
    assertThat(run("comm - --after dce{x=1}")).isEqualTo(64);
    assertThat(err()).startsWith("<pipeline>:1:5: error[pipeline]: dce has no option 'x'");
  }

  @ParameterizedTest
  @CsvSource({"opt -", "verify -", "comm -", "run - --random 1", "fingerprint -", "split -"})
  void countsThatAProgramContradicts_areSaidNotToBeUsed(String words) {
    assertThat(run(words + " --replicas 4")).as(err()).isZero();
    assertThat(err()).startsWith("note: --replicas 4 is not used: <stdin> says that it is for 2\n");
    assertThat(run(words + " --replicas 2")).isZero();
    assertThat(err()).isEmpty();
  }

  private static final String GROUPS =
      """
      module attributes {mhlo.num_replicas = 2 : i32} {
        func.func @main(%x: tensor<2xf32>) -> tensor<4xf32> {
          %a = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
          return %a : tensor<4xf32>
        }
      }
      """;

  @Test
  void countsThatNothingSays_areAskedForWhereGroupsMakeNoSense() {
    String silent = GROUPS.replaceFirst("attributes \\{.*?\\} ", "");
    assertThat(run(List.of("run", "-", "--random", "1"), silent)).isEqualTo(1);
    assertThat(err())
        .contains("error[collective-groups]")
        .endsWith(
            "note: <stdin> does not say how many devices run it, and one was taken; give"
                + " --replicas R, --partitions P\n");
    assertThat(run(List.of("run", "-", "--random", "1", "--replicas", "2"), silent)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "run --random 1 --ranks",
    "split --ranks",
    "handshake simulate --ranks",
    "diff --ranks",
  })
  void oneProgramOfSeveralDevices_isNoSetOfRanks(String words, @TempDir Path folder)
      throws IOException {
    Path file = Files.writeString(folder.resolve("all.mlir"), GROUPS);
    assertThat(run(words + " " + file)).as(err()).isEqualTo(64);
    assertThat(err())
        .isEqualTo(
            "lockstep: --ranks names one program, so the job has one rank, but "
                + file
                + " says that 2 devices run it; name one program a rank, or give it without"
                + " --ranks\n");
    assertThat(run("verify --ranks " + file)).isZero();
  }

  @Test
  void translate_statesCountsThatAProgramDoesNot() {
    String silent = PROGRAM.replaceFirst("attributes \\{.*?\\} ", "");
    List<String> words = List.of("translate", "--to", "stablehlo", "--replicas", "4");
    assertThat(run(words, silent)).isZero();
    assertThat(out()).startsWith("module attributes {mhlo.num_replicas = 4 : i32} {");
    assertThat(run(List.of("translate", "--to", "hlo", "--partitions", "4"), silent)).isZero();
    assertThat(out()).contains("num_partitions=4");
  }

  @Test
  void aFileThatIsNoPlugin_isNotSaidToSpeak() {
    assertThat(run("pjrt info --plugin pom.xml")).isEqualTo(1);
    assertThat(err())
        .startsWith("error[plugin]: pom.xml cannot be loaded as a PJRT plugin: invalid ELF header");
    assertThat(run("pjrt install --from pom.xml")).isEqualTo(1);
    assertThat(err()).isEqualTo("error[wheel]: pom.xml is no wheel: it is no zip archive\n");
    assertThat(run("pjrt install --from none.whl")).isEqualTo(1);
    assertThat(err()).isEqualTo("error[input-unreadable]: none.whl: no such file\n");
  }
}
