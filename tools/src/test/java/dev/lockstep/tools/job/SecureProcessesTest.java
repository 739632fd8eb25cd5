package dev.lockstep.tools.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testing.PemFiles;
import dev.lockstep.tools.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of processes that speak TLS, with a coordinator of their own or one that was there. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class SecureProcessesTest {
  private static final String PROGRAM =
      """
      func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
        %y = stablehlo.SCALE %x, %x : tensor<2xf32>
        %sum = "stablehlo.all_reduce"(%y) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %s = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %s : tensor<f32>
          }) : (tensor<2xf32>) -> tensor<2xf32>
        return %sum : tensor<2xf32>
      }
      """;

  @TempDir private Path folder;

  private final CommandRun command = new CommandRun();
  private final List<Process> started = new ArrayList<>();
  private PemFiles files;
  private Path authority;
  private PemFiles.Pair server;
  private String set;
  private String expected;

  @BeforeEach
  void prepare() throws IOException {
    files = new PemFiles(folder);
    authority = files.authority("ca", "the authority of the job");
    server = files.certificate("coordinator", "ca", "san=dns:localhost");
    Files.writeString(folder.resolve("p.rank0.mlir"), PROGRAM.replace("SCALE", "add"));
    Files.writeString(folder.resolve("p.rank1.mlir"), PROGRAM.replace("SCALE", "multiply"));
    set = folder.resolve("p.rank*.mlir").toString();
    assertThat(command.run("run", "--ranks", set, "--random", "1")).as(command.err()).isZero();
    expected = command.out();
  }

  @AfterEach
  void stop() {
    started.forEach(Process::destroyForcibly);
  }

  private int run(PemFiles.Pair certificate, String... more) {
    return run(certificate.certificate().toString(), certificate.key().toString(), more);
  }

  private int run(String certificate, String key, String... more) {
    List<String> words =
        new ArrayList<>(List.of("run", "--ranks", set, "--random", "1", "--stage", "compile"));
    words.addAll(List.of("--tls-ca", authority.toString()));
    words.addAll(List.of("--tls-cert", certificate, "--tls-key", key));
    words.addAll(List.of(more));
    return command.run(words.toArray(String[]::new));
  }

  /** Starts a coordinator, or an aggregator, as a process of its own; returns where it listens. */
  private String serve(PemFiles.Pair certificate, String... more) throws Exception {
    Path port = folder.resolve("port" + started.size());
    List<String> words = new ArrayList<>(List.of("handshake", "serve", "--listen", "localhost:0"));
    words.addAll(List.of("--port-file", port.toString(), "--tls-ca", authority.toString()));
    words.addAll(
        List.of(
            "--tls-cert", certificate.certificate().toString(),
            "--tls-key", certificate.key().toString()));
    words.addAll(List.of(more));
    Process process =
        ThisJava.lockstep(words)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(folder.resolve("serve" + started.size()).toFile())
            .start();
    started.add(process);
    while (!Files.exists(port)) {
      assertThat(process.isAlive()).isTrue();
      Thread.sleep(20);
    }
    return "localhost:" + Files.readString(port).strip();
  }

  private String log(int server) throws IOException {
    return Files.readString(folder.resolve("serve" + server));
  }

  @Test
  void oneCertificate_isEnoughForAJobOfItsOwn() {
    assertThat(run(server)).as(command.err()).isZero();
    assertThat(command.out()).isEqualTo(expected);
    assertThat(command.err()).contains("all 2 ranks:", "verdict: partial");
  }

  @Test
  void aCertificateForAnotherHost_isToldBeforeRanksStart() {
    PemFiles.Pair elsewhere = files.certificate("elsewhere", "ca", "san=dns:elsewhere.example");
    assertThat(run(elsewhere)).isEqualTo(69);
    assertThat(command.err())
        .contains("--tls-cert", "localhost", "subjectAltName=DNS:localhost")
        .doesNotContain("verdict");
  }

  @Test
  void filesOfRanks_needACoordinatorThatWasThere() {
    assertThat(run(folder + "/rank{rank}.pem", folder + "/rank{rank}.key")).isEqualTo(64);
    assertThat(command.err()).contains("--tls-cert", "handshake serve", "--coordinator");
  }

  @Test
  void certificatesOfRanks_andATokenLetRanksIn_eachAsItself() throws Exception {
    for (int rank = 0; rank < 2; rank++) {
      files.certificate("rank" + rank, "ca", "san=uri:lockstep://job/rank/" + rank);
    }
    Path token = Files.writeString(folder.resolve("token"), "of this job\n");
    String[] more = {"--world", "2", "--token-file", token.toString(), "--tls-bind-ranks"};
    String coordinator = serve(server, more);
    String own = folder + "/rank{rank}.pem";
    String key = folder + "/rank{rank}.key";
    String[] right = {"--coordinator", coordinator, "--token-file", token.toString()};
    assertThat(run(own, key, right)).as(command.err()).isZero();
    assertThat(command.out()).isEqualTo(expected);

    Path wrong = Files.writeString(folder.resolve("wrong"), "of another job\n");
    assertThat(run(own, key, "--coordinator", coordinator, "--token-file", wrong.toString()))
        .isEqualTo(3);
    assertThat(command.err()).contains("WRONG_TOKEN: the token is not this job's");

    assertThat(
            run(
                own.replace("{rank}", "0"),
                key.replace("{rank}", "0"),
                join(right, "--epoch", "1")))
        .isEqualTo(3);
    assertThat(command.err())
        .contains("rank 1:", "the peer's certificate is for rank 0 of job job, not for rank 1");
    assertThat(log(0)).contains("code=WRONG_CERTIFICATE", "code=WRONG_TOKEN");
  }

  private static String[] join(String[] first, String... second) {
    List<String> out = new ArrayList<>(List.of(first));
    out.addAll(List.of(second));
    return out.toArray(String[]::new);
  }
}
