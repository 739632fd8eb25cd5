package dev.lockstep.tools.job;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.coordinator.CoordinatorOptions;
import dev.lockstep.handshake.grpc.Channels;
import dev.lockstep.handshake.grpc.CoordinatorServer;
import dev.lockstep.handshake.grpc.Transport;
import dev.lockstep.handshake.relay.RelayClient;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.runtime.interp.RankInterpreter;
import dev.lockstep.runtime.transport.Dispatcher;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ranks that run together over real sockets, each on a thread. */
final class GrpcTransportTest {
  private static final String PAIRS = "[[0, 1], [2, 3]]";
  private static final String SUM =
      """
      func.func @main(%%x: tensor<2xf32>) -> tensor<2xf32> {
        %%0 = "stablehlo.all_reduce"(%%x) <{replica_groups = dense<%s> : tensor<%s>}> ({
          ^bb0(%%a: tensor<f32>, %%b: tensor<f32>):
            %%s = stablehlo.add %%a, %%b : tensor<f32>
            stablehlo.return %%s : tensor<f32>
          }) : (tensor<2xf32>) -> tensor<2xf32>
        return %%0 : tensor<2xf32>
      }
      """;

  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final List<AutoCloseable> opened = new ArrayList<>();

  private CoordinatorServer serve(int world, Duration deadline) throws IOException {
    CoordinatorOptions usual = CoordinatorOptions.of("job", world);
    CoordinatorServer server =
        CoordinatorServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Transport.LOOPBACK,
            new CoordinatorOptions(
                "job",
                "",
                world,
                deadline,
                usual.roundLimit(),
                usual.grace(),
                usual.silence(),
                usual.mostPending(),
                usual.mostDefinitions(),
                1),
            CoordinatorListener.NONE);
    opened.add(server);
    return server;
  }

  private RelayClient join(CoordinatorServer server, int rank, int world) throws IOException {
    ManagedChannel channel = Channels.open("localhost:" + server.port(), Transport.LOOPBACK);
    opened.add(channel::shutdownNow);
    return RelayClient.join(channel, new RelayClient.Joining("job", "", 0, rank, world), timer);
  }

  private static CompletableFuture<String> run(
      RelayClient relay, int world, long delayMillis, String... texts) {
    return CompletableFuture.supplyAsync(
        () -> {
          int rank = relay.rank();
          RankInterpreter interpreter =
              new RankInterpreter(
                  new DeviceGrid(world, 1),
                  new Dispatcher(new GrpcTransport(relay)),
                  InterpreterOptions.DEFAULT);
          List<Double> firsts = new ArrayList<>();
          for (String text : texts) {
            try {
              Thread.sleep(delayMillis);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            Program program = Program.of(Texts.read(Source.of("p.mlir", text)));
            ImmutableList<Datum> arguments =
                Flattening.pack(
                    program.entry(rank), rank, (i, at, type) -> Literal.splatOf(type, rank + 1L));
            firsts.add(Flattening.flatten(interpreter.run(program, arguments)).get(0).getDouble(0));
          }
          relay.close();
          return firsts.toString();
        },
        work -> new Thread(work, "rank").start());
  }

  private static String said(CompletableFuture<String> running) {
    try {
      return running.join();
    } catch (CompletionException e) {
      Throwable cause = requireNonNull(e.getCause());
      assertThat(cause).isInstanceOf(DiagnosticException.class);
      return String.valueOf(cause.getMessage());
    }
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
    timer.shutdownNow();
  }

  @Test
  void subGroups_meetApart_howeverUnevenlyTheirMembersArrive() throws IOException {
    CoordinatorServer server = serve(4, Duration.ofSeconds(30));
    String pairs = String.format(SUM, PAIRS, "2x2xi64");
    String all = String.format(SUM, "[[0, 1, 2, 3]]", "1x4xi64");
    List<CompletableFuture<String>> running = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      running.add(run(join(server, rank, 4), 4, 40L * rank, pairs, pairs, all));
    }
    assertThat(running.stream().map(GrpcTransportTest::said))
        .containsExactly(
            "[3.0, 3.0, 10.0]", "[3.0, 3.0, 10.0]", "[7.0, 7.0, 10.0]", "[7.0, 7.0, 10.0]");
  }

  @Test
  void aRankThatNeverComes_isNamedAtTheDeadline() throws IOException {
    CoordinatorServer server = serve(2, Duration.ofMillis(500));
    String sum = String.format(SUM, "[[0, 1]]", "1x2xi64");
    assertThat(said(run(join(server, 0, 2), 2, 0, sum)))
        .contains("error[peer-lost]: rank 1 has not come within 500 ms")
        .contains("device 0 waits in stablehlo.all_reduce for device 1 of the group [0, 1]");
  }

  @Test
  void aRankThatEndsEarly_stallsNobodyForLong() throws IOException {
    CoordinatorServer server = serve(2, Duration.ofMinutes(10));
    String sum = String.format(SUM, "[[0, 1]]", "1x2xi64");
    CompletableFuture<String> first = run(join(server, 0, 2), 2, 0, sum, sum);
    assertThat(said(run(join(server, 1, 2), 2, 0, sum))).isEqualTo("[3.0]");
    assertThat(said(first))
        .contains("error[deadlock]: no device can move: device 0 waits in stablehlo.all_reduce")
        .contains("rank 1 has finished");
  }
}
