package dev.lockstep.handshake.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.wire.ClientFrame;
import dev.lockstep.handshake.wire.ClientMessage;
import dev.lockstep.handshake.wire.CoordinatorFrame;
import dev.lockstep.handshake.wire.CoordinatorMessage;
import dev.lockstep.handshake.wire.HandshakeGrpc;
import dev.lockstep.handshake.wire.Hello;
import dev.lockstep.handshake.wire.Welcome;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A coordinator that is slow to let ranks in. */
final class SlowWelcomeTest {
  /** Answers a process' first two hellos together, when the second is there. */
  private static final class Slow extends HandshakeGrpc.HandshakeImplBase {
    final BlockingQueue<ClientMessage> after = new LinkedBlockingQueue<>();

    @Override
    public StreamObserver<ClientFrame> session(StreamObserver<CoordinatorFrame> replies) {
      return new StreamObserver<>() {
        private final List<Hello> hellos = new ArrayList<>();

        @Override
        public void onNext(ClientFrame frame) {
          for (ClientMessage message : frame.getMessagesList()) {
            if (message.hasHello()) {
              hellos.add(message.getHello());
            } else if (!message.hasLost() || hellos.size() > 1) {
              after.add(message);
            }
          }
          if (hellos.size() == 2) {
            CoordinatorFrame.Builder both = CoordinatorFrame.newBuilder();
            for (Hello hello : hellos) {
              Welcome.Builder welcome =
                  Welcome.newBuilder()
                      .setRank(hello.getRank())
                      .setIncarnation(hello.getIncarnation());
              both.addMessages(CoordinatorMessage.newBuilder().setWelcome(welcome));
            }
            replies.onNext(both.build());
            hellos.add(Hello.getDefaultInstance());
          }
        }

        @Override
        public void onError(Throwable cause) {
          // The test is over.
        }

        @Override
        public void onCompleted() {
          replies.onCompleted();
        }
      };
    }
  }

  @Test
  void aRankThatHasComeBackIsNotReportedLost() throws Exception {
    Slow slow = new Slow();
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    Server coordinator = NettyServerBuilder.forAddress(free).addService(slow).build().start();
    Protection impatient =
        new Protection(Duration.ofMillis(300), Duration.ofMinutes(1), 100, 1 << 20, false);
    try (JobFixture job = JobFixture.plain(1);
        AggregatorServer host =
            AggregatorServer.start(
                free,
                Transport.LOOPBACK,
                "localhost:" + coordinator.getPort(),
                Transport.LOOPBACK,
                impatient,
                CoordinatorListener.NONE)) {
      HandshakeClient rank =
          job.join(JobFixture.client(0, 1, Stage.DISPATCH), host.port(), Transport.LOOPBACK);
      CompletableFuture<Verdict> verdict = rank.run(JobFixture.program("", 1, 1));
      List<ClientMessage.MessageCase> heard = new ArrayList<>();
      do {
        ClientMessage next = slow.after.poll(20, TimeUnit.SECONDS);
        assertThat(next).as("what the rank asks, after %s", heard).isNotNull();
        heard.add(next.getMessageCase());
      } while (heard.get(heard.size() - 1) != ClientMessage.MessageCase.ASK);
      assertThat(heard).doesNotContain(ClientMessage.MessageCase.LOST);
      assertThat(verdict).isNotDone();
    } finally {
      coordinator.shutdownNow();
    }
  }
}
