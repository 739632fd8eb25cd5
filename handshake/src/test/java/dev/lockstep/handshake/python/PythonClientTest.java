package dev.lockstep.handshake.python;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hashing;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.Longs;
import dev.lockstep.handshake.client.ClientOptions;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.coordinator.CoordinatorOptions;
import dev.lockstep.handshake.grpc.Channels;
import dev.lockstep.handshake.grpc.CoordinatorServer;
import dev.lockstep.handshake.grpc.HandshakeClient;
import dev.lockstep.handshake.grpc.Transport;
import dev.lockstep.handshake.protocol.Fingerprint;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import dev.lockstep.testing.Checkout;
import dev.lockstep.testing.PythonOracle;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rank in Python, whose messages are generated from handshake.proto, and a rank in Java agree on
 * a program and refuse others. {@code handshake_client.py} is also the example in docs/wire.md.
 */
final class PythonClientTest {
  private static final String STEP = "x = 2 * w\ncollective all_reduce f32[4]\ny = x + 1\n";

  @TempDir static Path generated;
  @TempDir Path folder;
  private static PythonOracle python;

  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final List<AutoCloseable> opened = new ArrayList<>();
  private CoordinatorServer server;

  @BeforeAll
  static void generate() {
    python = PythonOracle.require();
    String missing =
        python
            .run(
                """
                try:
                  import google.protobuf, grpc, grpc_tools
                except ImportError as missing:
                  print(missing)
                """)
            .strip();
    if (!missing.isEmpty()) {
      Checkout.leaveOut("no grpcio for python, see .ci/oracle-requirements.txt: " + missing);
    }
    python.run(
        """
        import grpc_tools.protoc, sys
        folder, out = sys.argv[1:]
        sys.exit(grpc_tools.protoc.main(["protoc", "-I", folder, "--python_out", out,
            "--grpc_python_out", out, "lockstep/handshake/v1/handshake.proto"]))
        """,
        Checkout.root().resolve("handshake/src/main/proto").toString(),
        generated.toString());
  }

  @BeforeEach
  void serve() throws IOException {
    CoordinatorOptions usual = CoordinatorOptions.of("job", 2);
    server =
        CoordinatorServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Transport.LOOPBACK,
            new CoordinatorOptions(
                "job",
                "secret",
                2,
                usual.deadline(),
                usual.roundLimit(),
                usual.grace(),
                usual.silence(),
                usual.mostPending(),
                usual.mostDefinitions(),
                1),
            CoordinatorListener.NONE);
    opened.add(server);
  }

  @AfterEach
  void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
    timer.shutdownNow();
  }

  /** Runs rank 1 in Python on its programs, and returns the lines that it prints. */
  private CompletableFuture<List<String>> pythonRank(String token, String... programs)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                generated.toString(),
                Checkout.root()
                    .resolve("handshake/src/test/resources/python/handshake_client.py")
                    .toString(),
                "--coordinator",
                "localhost:" + server.port(),
                "--rank",
                "1",
                "--world",
                "2",
                "--token-file",
                Files.writeString(folder.resolve("token"), token + "\n").toString()));
    for (int i = 0; i < programs.length; i++) {
      arguments.add(Files.writeString(folder.resolve("step" + i + ".txt"), programs[i]).toString());
    }
    // The client ends with 3 when it is refused: what it printed says so, and is looked at.
    String script =
        """
        import runpy, sys
        sys.path.insert(0, sys.argv[1])
        sys.argv = sys.argv[2:]
        try:
          runpy.run_path(sys.argv[0], run_name="__main__")
        except SystemExit as end:
          print("exit", end.code)
        """;
    return CompletableFuture.supplyAsync(
        () ->
            Splitter.on('\n')
                .omitEmptyStrings()
                .splitToList(python.run(script, arguments.toArray(String[]::new))));
  }

  private HandshakeClient javaRank(String fingerprints) throws IOException {
    ManagedChannel channel = Channels.open("localhost:" + server.port(), Transport.LOOPBACK);
    opened.add(channel::shutdownNow);
    HandshakeClient client =
        HandshakeClient.connect(
            ClientOptions.of(
                "job",
                "secret",
                0,
                0,
                2,
                77,
                Stage.DISPATCH,
                new Hello.Versions(1, fingerprints, "example", "")),
            channel,
            timer,
            notice -> {});
    opened.add(client);
    return client;
  }

  private static long hash(String text) {
    byte[] bytes = Hashing.sha256().hashString(text, StandardCharsets.UTF_8).asBytes();
    return Longs.fromByteArray(bytes);
  }

  private static Fingerprint print(String text) {
    byte[] bytes = Hashing.sha256().hashString(text, StandardCharsets.UTF_8).asBytes();
    return new Fingerprint(
        Longs.fromByteArray(bytes), Longs.fromByteArray(Arrays.copyOfRange(bytes, 8, 16)));
  }

  /** What the example's {@code describe} makes of a program. */
  private static Program program(String text) {
    ImmutableLongArray.Builder regions = ImmutableLongArray.builder();
    ImmutableLongArray.Builder signatures = ImmutableLongArray.builder();
    ImmutableList.Builder<String> calls = ImmutableList.builder();
    StringBuilder region = new StringBuilder();
    int count = 0;
    for (String line : text.lines().toList()) {
      if (line.startsWith("collective ")) {
        String call = line.substring("collective ".length());
        regions.add(hash(region.toString())).add(hash(line));
        signatures.add(hash(call));
        calls.add(call);
        region.setLength(0);
        count++;
      } else {
        region.append(line).append('\n');
      }
    }
    regions.add(hash(region.toString()));
    return new Program(
        "step",
        new ProgramSummary(
            print(text),
            print(text.replaceAll("[0-9]+", "#")),
            regions.build(),
            ImmutableIntArray.copyOf(new int[count]),
            signatures.build(),
            calls.build()),
        ImmutableList.of(RankList.world(2)));
  }

  private static Verdict await(CompletableFuture<Verdict> asked) throws Exception {
    return asked.get(60, TimeUnit.SECONDS);
  }

  @Test
  void oneRoundIsAgreedOn_othersAreNot() throws Exception {
    HandshakeClient java = javaRank("sha256-text-1");
    CompletableFuture<List<String>> printed =
        pythonRank(
            "secret", STEP, STEP.replace("x + 1", "x - w"), "collective all_gather f32[4]\n");
    assertThat(await(java.run(program(STEP))).kind()).isEqualTo(VerdictKind.FAT);
    assertThat(await(java.run(program(STEP))).kind()).isEqualTo(VerdictKind.PARTIAL);
    Verdict refused = await(java.run(program("collective all_reduce f32[4]\n")));
    assertThat(refused.kind()).isEqualTo(VerdictKind.MISMATCH);

    List<String> lines = printed.get(60, TimeUnit.SECONDS);
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).contains("\"kind\": \"FAT\"", "\"reason\": \"SAME_PROGRAM\"");
    assertThat(lines.get(1)).contains("\"kind\": \"PARTIAL\"", "\"cut\": [2]");
    assertThat(lines.get(2))
        .contains(
            "\"kind\": \"MISMATCH\"", "all_reduce f32[4] on rank 0", "all_gather f32[4] on rank 1");
  }

  @Test
  void literalsThatDiffer_areForRepair() throws Exception {
    HandshakeClient java = javaRank("sha256-text-1");
    CompletableFuture<List<String>> printed = pythonRank("secret", STEP.replace("2 * w", "5 * w"));
    assertThat(await(java.run(program(STEP))).kind()).isEqualTo(VerdictKind.REPAIR);
    assertThat(printed.get(60, TimeUnit.SECONDS).get(0)).contains("\"kind\": \"REPAIR\"");
  }

  @Test
  void anotherTokenOrAnotherHash_isRefused() throws Exception {
    assertThat(pythonRank("guess", STEP).get(60, TimeUnit.SECONDS))
        .containsExactly("{\"refused\": \"WRONG_TOKEN: the token is not this job's\"}", "exit 3");
    HandshakeClient java = javaRank("lockstep-fp1");
    CompletableFuture<Verdict> alone = java.run(program(STEP));
    // The first rank of the job says what all must have: let it be the one in Java.
    while (serverKnowsNobody()) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertThat(pythonRank("secret", STEP).get(60, TimeUnit.SECONDS).get(0))
        .contains("WRONG_VERSION", "lockstep-fp1", "sha256-text-1");
    assertThat(alone).isNotDone();
  }

  private boolean serverKnowsNobody() throws IOException {
    return dev.lockstep.handshake.grpc.StatusQuery.ask(
                "localhost:" + server.port(), Transport.LOOPBACK, "secret", 30)
            .getConnected()
        == 0;
  }
}
