package dev.lockstep.tools.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.tools.CommandLineRunner;
import dev.lockstep.tools.Console;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The handshake's commands against each other: ports, tokens, metrics, logs and exit codes. */
final class HandshakeCommandsTest {
  private static final String PROGRAM =
      """
      HloModule good, replica_count=1

      %add (a: f32[], b: f32[]) -> f32[] {
        %a = f32[] parameter(0)
        %b = f32[] parameter(1)
        ROOT %sum = f32[] add(f32[] %a, f32[] %b)
      }

      ENTRY %main (x: f32[2]) -> f32[2] {
        %x = f32[2] parameter(0)
        ROOT %all = f32[2] all-reduce(f32[2] %x), replica_groups={{0}}, to_apply=%add
      }
      """;

  @TempDir private Path folder;
  private final List<Command> started = new ArrayList<>();

  /** A command, with what it has printed. */
  private static final class Command {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Thread thread;
    private volatile int exit = -1;

    Command(String... words) {
      Console console =
          new Console(
              new ByteArrayInputStream(new byte[0]),
              new PrintStream(out, true, StandardCharsets.UTF_8),
              new PrintStream(err, true, StandardCharsets.UTF_8),
              false);
      List<String> all = new ArrayList<>(List.of("handshake"));
      all.addAll(List.of(words));
      thread = new Thread(() -> exit = CommandLineRunner.run(all, console), "command");
      thread.start();
    }

    int await() {
      try {
        thread.join(TimeUnit.SECONDS.toMillis(60));
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
      return exit;
    }

    String err() {
      return err.toString(StandardCharsets.UTF_8);
    }

    void says(String... words) {
      long start = System.nanoTime();
      while (!List.of(words).stream().allMatch(err()::contains)) {
        if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(30)) {
          throw new AssertionError("does not say " + List.of(words) + " but " + err());
        }
        sleep();
      }
    }
  }

  private static void sleep() {
    try {
      TimeUnit.MILLISECONDS.sleep(10);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new AssertionError(stopped);
    }
  }

  @AfterEach
  void stop() {
    for (Command command : started) {
      command.thread.interrupt();
      command.await();
    }
  }

  private Command serve(String... more) {
    List<String> words = new ArrayList<>(List.of("serve"));
    words.addAll(List.of(more));
    if (!words.contains("--world")) {
      words.addAll(List.of("--world", "1"));
    }
    Command command = new Command(words.toArray(String[]::new));
    started.add(command);
    return command;
  }

  private Path token(String token) throws IOException {
    return Files.writeString(folder.resolve("token" + token.length()), token + "\n");
  }

  private Path portFile() {
    return folder.resolve("port");
  }

  private String published() throws IOException {
    while (!Files.exists(portFile())) {
      sleep();
    }
    return "localhost:" + Files.readString(portFile()).strip();
  }

  private Command rank(String coordinator, String... more) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of("join", Files.writeString(folder.resolve("p.hlo"), PROGRAM).toString()));
    words.addAll(List.of("--rank", "0", "--world", "1", "--coordinator", coordinator));
    words.addAll(List.of(more));
    Command command = new Command(words.toArray(String[]::new));
    command.await();
    return command;
  }

  @Test
  void aFreePort_isPublished_andAStaleFileIsNotBelieved() throws IOException {
    Files.writeString(portFile(), "1\n");
    Command server = serve("--listen", "127.0.0.1:0", "--port-file", portFile().toString());
    server.says("listens on port");
    String coordinator = published();
    assertThat(coordinator).isNotEqualTo("localhost:1");
    Command rank = rank(coordinator, folder.resolve("p.hlo").toString());
    assertThat(rank.exit).as(rank.err()).isZero();
    // What is named twice is asked about twice.
    assertThat(rank.out.toString(StandardCharsets.UTF_8).lines())
        .hasSize(2)
        .allMatch(line -> line.contains("fat"));
  }

  @Test
  void aPortInUse_isNamed_andWhatToDo() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Files.writeString(portFile(), "1\n");
      Command server =
          serve(
              "--listen",
              "127.0.0.1:" + taken.getLocalPort(),
              "--port-file",
              portFile().toString());
      assertThat(server.await()).isEqualTo(69);
      assertThat(server.err())
          .contains("127.0.0.1:" + taken.getLocalPort(), "in use", "--listen", "--port-file");
      assertThat(portFile()).doesNotExist();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "65536", "99999", "http", ""})
  void portsThatAreNone_areBadUsage(String port) {
    assertThat(new Command("serve", "--world", "1", "--listen", "127.0.0.1:" + port).await())
        .isEqualTo(64);
    assertThat(new Command("status", "--coordinator", "127.0.0.1:" + port).await()).isEqualTo(64);
    assertThat(new Command("serve", "--world", "1", "--metrics=" + port).await()).isEqualTo(64);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-5", "soon", "NaN"})
  void deadlinesThatAreNone_areBadUsage(String seconds) {
    assertThat(new Command("serve", "--world", "1", "--deadline", seconds).await()).isEqualTo(64);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "[::1]", "::1"})
  void everyNameOfThisMachine_isListenedAndSpokenTo(String host) throws IOException {
    Command server = serve("--listen", host + ":0", "--port-file", portFile().toString());
    String port = published();
    server.says("listens on port");
    Command rank = rank(host + port.substring(port.lastIndexOf(':')));
    assertThat(rank.exit).as(rank.err()).isZero();
  }

  @Test
  void anAbsentCoordinator_isTheSameForAll() throws IOException {
    int free;
    try (ServerSocket found = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = found.getLocalPort();
    }
    Command status = new Command("status", "--coordinator", "127.0.0.1:" + free);
    assertThat(status.await()).isEqualTo(69);
    assertThat(status.err()).contains("127.0.0.1:" + free, "refused");
    Command rank = rank("127.0.0.1:" + free, "--deadline", "0.5");
    assertThat(rank.exit).as(rank.err()).isEqualTo(69);
  }

  /** Returns a program of {@code world} ranks that adds to its argument a number of times. */
  private static String adding(int times, int world) {
    StringBuilder body = new StringBuilder();
    String last = "x";
    for (int i = 0; i < times; i++) {
      body.append("  %y" + i + " = f32[2] add(f32[2] %" + last + ", f32[2] %x)\n");
      last = "y" + i;
    }
    return PROGRAM
        .replace("replica_count=1", "replica_count=" + world)
        .replace("replica_groups={{0}}", "replica_groups={}")
        .replace("  ROOT %all", body + "  ROOT %all")
        .replace("all-reduce(f32[2] %x)", "all-reduce(f32[2] %" + last + ")");
  }

  @Test
  void moreClassesThanAVerdictLists_areExplainedAsFarAsTheyAreListed() throws IOException {
    int world = 18;
    Command server =
        serve("--world", "18", "--listen", "127.0.0.1:0", "--port-file", portFile().toString());
    String coordinator = published();
    List<Command> ranks = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      Path file =
          Files.writeString(folder.resolve("many" + rank + ".hlo"), adding(rank + 1, world));
      ranks.add(
          new Command(
              "join",
              file.toString(),
              "--rank",
              Integer.toString(rank),
              "--world",
              "18",
              "--coordinator",
              coordinator));
    }
    for (Command rank : ranks) {
      rank.await();
      assertThat(rank.exit).as(rank.err() + server.err()).isZero();
      assertThat(rank.out.toString(StandardCharsets.UTF_8))
          .contains("16 ranks run 16 different programs")
          .contains(
              "many1.hlo:", "not compared: ranks 16, 17, since the verdict lists the largest");
    }
  }

  @Test
  void aWrongToken_isRefused_loggedAndCounted() throws IOException {
    Command server =
        serve(
            "--job",
            "night run",
            "--listen",
            "127.0.0.1:0",
            "--port-file",
            portFile().toString(),
            "--token-file",
            token("right").toString(),
            "--metrics",
            "0");
    String coordinator = published();
    Command rank =
        rank(coordinator, "--job", "night run", "--token-file", token("wrong one").toString());
    assertThat(rank.exit).isEqualTo(3);
    assertThat(rank.out.toString(StandardCharsets.UTF_8)).contains("WRONG_TOKEN");
    server.says("event=refused job=\"night run\"", "rank=0 peer=\"127.0.0.1:", "code=WRONG_TOKEN");

    Command status =
        new Command(
            "status", "--coordinator", coordinator, "--token-file", token("wrong one").toString());
    assertThat(status.await()).isEqualTo(3);
    assertThat(status.err()).contains("refuses: the token is not this job's");
    server.says("code=UNAUTHENTICATED");

    String port =
        server.err().lines().filter(line -> line.startsWith("metrics on port ")).findFirst().get();
    URI page =
        URI.create("http://127.0.0.1:" + port.substring("metrics on port ".length()) + "/metrics");
    try (InputStream in = page.toURL().openStream()) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .contains(
              "lockstep_handshake_refused_total{job=\"night run\",reason=\"wrong_token\"} 1",
              "lockstep_handshake_refused_total{job=\"night run\",reason=\"unauthenticated\"} 1",
              "lockstep_handshake_refused_total{job=\"night run\",reason=\"duplicate_rank\"} 0");
    }
    Command right =
        rank(coordinator, "--job", "night run", "--token-file", token("right").toString());
    assertThat(right.exit).as(right.err()).isZero();
  }

  @Test
  void anEmptyTokenFile_isNoToken() throws IOException {
    Command server = serve("--listen", "127.0.0.1:0", "--token-file", token("").toString());
    assertThat(server.await()).isEqualTo(69);
    assertThat(server.err()).contains("is empty");
  }

  @Test
  void certificatesOfRanks_needAnAuthority() {
    Command server = serve("--listen", "127.0.0.1:0", "--tls-bind-ranks");
    assertThat(server.await()).isEqualTo(64);
    assertThat(server.err()).contains("--tls-ca");
  }

  @Test
  void withoutTls_onlyThisMachineIsListenedTo() {
    Command server = serve("--listen", "0.0.0.0:0");
    assertThat(server.await()).isEqualTo(69);
    assertThat(server.err()).contains("loopback addresses only");
  }
}
