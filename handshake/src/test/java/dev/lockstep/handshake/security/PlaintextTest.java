package dev.lockstep.handshake.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.coordinator.CoordinatorOptions;
import dev.lockstep.handshake.grpc.Channels;
import dev.lockstep.handshake.grpc.CoordinatorServer;
import dev.lockstep.handshake.grpc.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** Without TLS nothing leaves this machine, unless somebody says so. */
final class PlaintextTest {
  private static CoordinatorServer serve(Transport transport) throws IOException {
    return CoordinatorServer.start(
        new InetSocketAddress("0.0.0.0", 0),
        transport,
        CoordinatorOptions.of("job", 2),
        CoordinatorListener.NONE);
  }

  @Test
  void aCoordinatorListensOnLoopbackOnly() throws IOException {
    assertThatThrownBy(() -> serve(Transport.LOOPBACK))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("loopback addresses only, not on 0.0.0.0");
    try (CoordinatorServer allowed = serve(Transport.PLAINTEXT)) {
      assertThat(allowed.port()).isPositive();
    }
  }

  @Test
  void aRankSpeaksToThisMachineOnly() throws IOException {
    assertThatThrownBy(() -> Channels.open("192.0.2.1:36423", Transport.LOOPBACK))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("only a coordinator on this machine is spoken to");
    Channels.open("192.0.2.1:36423", Transport.PLAINTEXT).shutdownNow();
  }
}
