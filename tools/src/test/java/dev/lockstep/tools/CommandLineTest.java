package dev.lockstep.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.tools.verb.Verbs;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class CommandLineTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private Console console() {
    return new Console(
        new ByteArrayInputStream(new byte[0]),
        new PrintStream(out, false, StandardCharsets.UTF_8),
        new PrintStream(err, false, StandardCharsets.UTF_8),
        false);
  }

  private int run(String... arguments) {
    return CommandLineRunner.run(List.of(arguments), console());
  }

  private int runVerb(RuntimeException failure, String... arguments) {
    Verb verb =
        new Verb() {
          @Override
          protected int execute(Session session) {
            session.remember("x.mlir", "module {}".getBytes(StandardCharsets.UTF_8));
            session.doing("testing");
            throw failure;
          }
        };
    return CommandLineRunner.run(List.of(arguments), console(), ImmutableMap.of("v", verb));
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void noVerb_isBadUsage() {
    assertThat(run()).isEqualTo(64);
    assertThat(err()).isEqualTo("lockstep: no verb given; see lockstep --help\n");
  }

  @Test
  void unknownVerb_isBadUsage() {
    assertThat(run("fly")).isEqualTo(64);
    assertThat(err()).isEqualTo("lockstep: no verb is called 'fly'; see lockstep --help\n");
    err.reset();
    assertThat(run("verfy", "x.mlir")).isEqualTo(64);
    assertThat(err()).isEqualTo("lockstep: no verb is called 'verfy'; did you mean 'verify'?\n");
  }

  @Test
  void help_listsAWholeSentenceForEveryVerb() {
    run("--help");
    String oneLine = out().replaceAll("\\s+", " ");
    Verbs.all()
        .forEach(
            (name, verb) -> {
              String[] description =
                  new CommandLine(verb).getCommandSpec().usageMessage().description();
              assertThat(description)
                  .as(name)
                  .allMatch(line -> line.startsWith(" ") || line.endsWith("."));
              if (description.length > 0) {
                assertThat(oneLine).contains(" " + name + " " + description[0]);
              }
            });
  }

  @Test
  void outputThatDoesNotArrive_isADiagnosticAndNotFine() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    for (String[] command : new String[][] {{"--help"}, {"opt", "-"}, {"verify", "--json", "-"}}) {
      err.reset();
      Console console =
          new Console(
              new ByteArrayInputStream("module {}".getBytes(StandardCharsets.UTF_8)),
              Console.stream(full, false),
              new PrintStream(err, false, StandardCharsets.UTF_8),
              false);
      assertThat(CommandLineRunner.run(List.of(command), console)).isEqualTo(69);
      assertThat(err())
          .isEqualTo("lockstep: cannot write to standard output: no space left on device\n");
    }
  }

  @Test
  void verbNotBuilt_namesTheMissingPart() {
    assertThat(run("schedule", "tune", "--ranks", "4")).isEqualTo(64);
    assertThat(err()).isEqualTo("lockstep: schedule: not built yet: communication schedules\n");
  }

  @Test
  void help_goesToStandardOutput() {
    assertThat(run("--help")).isZero();
    assertThat(out()).contains("Verbs:", "schedule", "Exit codes:");
    assertThat(err()).isEmpty();
  }

  @Test
  void diagnostic_isPrintedAndExitsWithOne() {
    Location place = new Location(Source.of("x.mlir", "module {}"), 0, 6);

    assertThat(runVerb(DiagnosticException.error("code", "is wrong", place), "v")).isEqualTo(1);
    assertThat(err())
        .isEqualTo(
            """
            x.mlir:1:1: error[code]: is wrong
              module {}
              ^~~~~~
            """);
  }

  @Test
  void diagnosticUnderJson_isInTheOneObject() {
    Location place = new Location(Source.of("x.mlir", "module {}"), 0, 6);

    assertThat(runVerb(DiagnosticException.error("code", "is wrong", place), "v", "--json"))
        .isEqualTo(1);
    assertThat(out())
        .isEqualTo(
            """
            {"diagnostics":[{"file":"x.mlir","line":1,"column":1,"message":"is wrong",\
            "severity":"error","code":"code","notes":[]}],"exit":1}
            """);
  }

  @Test
  void environmentError_exitsWith69() {
    assertThat(runVerb(new EnvironmentException("no server"), "v")).isEqualTo(69);
    assertThat(err()).isEqualTo("lockstep: no server\n");
  }

  @Test
  void bug_leavesAReproducerAndNoStackTrace() throws IOException {
    assertThat(runVerb(new IllegalStateException("broken"), "v")).isEqualTo(70);
    assertThat(err())
        .startsWith("lockstep: a bug in lockstep while testing: IllegalStateException: broken;")
        .doesNotContain("\tat ");
    Path file = Path.of(err().strip().replaceAll(".*please send ", ""));
    try {
      assertThat(file)
          .content()
          .contains("# command: lockstep v", "# ==== input x.mlir\nmodule {}", "\tat ");
    } finally {
      Files.delete(file);
    }
  }
}
