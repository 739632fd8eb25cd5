package dev.lockstep.handshake.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.handshake.grpc.Protection;
import dev.lockstep.handshake.grpc.Transport;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Peers that take their time, and many of them. */
final class SlowLorisTest {
  /** Sends one byte after the other until the connection is closed. */
  private static void drip(RawPeer peer, byte[] bytes) throws IOException {
    try {
      for (byte one : bytes) {
        peer.send(one);
        Log.sleep(100);
      }
    } catch (SocketException closed) {
      // As it should be.
    }
    peer.awaitClosed();
  }

  private static void isClosed(HealthyJob job, RawPeer peer) throws IOException {
    peer.awaitClosed();
    job.log.await(1, "turned away " + peer.name(), "NO_HELLO");
    job.goesOn();
  }

  @Test
  void aConnectionThatSaysNothing_isClosed() throws IOException {
    try (HealthyJob job = new HealthyJob();
        RawPeer peer = new RawPeer(job.server.port())) {
      isClosed(job, peer);
    }
  }

  @Test
  void aPrefaceThatDrips_isNotWaitedFor() throws IOException {
    try (HealthyJob job = new HealthyJob();
        RawPeer peer = new RawPeer(job.server.port())) {
      drip(peer, new byte[] {'P', 'R', 'I', ' ', '*', ' ', 'H', 'T', 'T', 'P', '/', '2', '.', '0'});
      isClosed(job, peer);
    }
  }

  @Test
  void headersThatNeverEnd_areNotWaitedFor() throws IOException {
    try (HealthyJob job = new HealthyJob();
        RawPeer peer = new RawPeer(job.server.port())) {
      peer.greet().frame(RawPeer.HEADERS, 0, 1, RawPeer.headers());
      try {
        for (int i = 0; i < 50; i++) {
          peer.frame(RawPeer.CONTINUATION, 0, 1, (byte) 0, (byte) 1, (byte) 'a', (byte) 0);
          Log.sleep(100);
        }
      } catch (SocketException closed) {
        // As it should be.
      }
      isClosed(job, peer);
    }
  }

  @Test
  void aHelloThatDrips_isNotWaitedFor() throws IOException {
    try (HealthyJob job = new HealthyJob();
        RawPeer peer = new RawPeer(job.server.port())) {
      peer.greet().open(1).frame(RawPeer.DATA, 0, 1, RawPeer.prefix(100));
      try {
        for (int i = 0; i < 50; i++) {
          peer.frame(RawPeer.DATA, 0, 1, (byte) 10);
          Log.sleep(100);
        }
      } catch (SocketException closed) {
        // As it should be.
      }
      isClosed(job, peer);
    }
  }

  @Test
  void halfATlsHandshake_isNotWaitedFor(@TempDir Path folder) throws IOException {
    Certificates made = new Certificates(folder);
    Path authority = made.authority("authority");
    Transport serving = made.server("coordinator", "authority", null);
    Transport joining = new Transport(null, null, authority, false);
    try (HealthyJob job = new HealthyJob(serving, joining, HealthyJob.STRICT);
        RawPeer peer = new RawPeer(job.server.port())) {
      // The head of a record that holds a client's hello of 512 bytes.
      peer.send((byte) 22, (byte) 3, (byte) 1, (byte) 2, (byte) 0, (byte) 1);
      peer.awaitClosed();
      job.log.await(1, "turned away " + peer.name());
      job.goesOn();
      job.freeRankTakesPart();
    }
  }

  @Test
  void hundredsOfIdleConnections_leaveRoomForRanks() throws IOException {
    Protection few =
        new Protection(Duration.ofSeconds(60), Duration.ofSeconds(60), 100, 64 << 20, false);
    List<RawPeer> idle = new ArrayList<>();
    try (HealthyJob job = new HealthyJob(Transport.LOOPBACK, Transport.LOOPBACK, few)) {
      for (int i = 0; i < 300; i++) {
        idle.add(new RawPeer(job.server.port()).greet());
      }
      job.log.await(200, "turned away", "TOO_MANY", "makes room");
      job.goesOn();
      job.freeRankTakesPart();
      idle.get(0).awaitClosed();
      assertThat(job.log.count("all connections are in use")).isZero();
    } finally {
      for (RawPeer peer : idle) {
        peer.close();
      }
    }
  }

  @Test
  void manyHalfMessages_takeBoundedMemory() throws IOException {
    Protection little =
        new Protection(Duration.ofSeconds(60), Duration.ofSeconds(60), 100, 1 << 20, false);
    try (HealthyJob job = new HealthyJob(Transport.LOOPBACK, Transport.LOOPBACK, little);
        RawPeer peer = new RawPeer(job.server.port())) {
      peer.greet();
      byte[] part = new byte[16 << 10];
      try {
        // Each of 64 streams sends 48 KiB of a message of 3 MiB: windows of HTTP/2 allow it.
        for (int stream = 1; stream < 129; stream += 2) {
          peer.open(stream).frame(RawPeer.DATA, 0, stream, RawPeer.prefix(3 << 20));
          for (int i = 0; i < 3; i++) {
            peer.frame(RawPeer.DATA, 0, stream, part);
          }
        }
      } catch (SocketException closed) {
        // As it should be.
      }
      peer.awaitClosed();
      job.log.await(1, "turned away " + peer.name(), "TOO_MUCH");
      job.goesOn();
      job.freeRankTakesPart();
    }
  }

  @Test
  void aStreamThatWasOpenedAndSaysNothing_isEnded() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      Puppet silent = new Puppet(job.channel());
      assertThat(silent.end().isOk()).isFalse();
      job.log.await(1, "turned away 127.0.0.1:");
      job.goesOn();
    }
  }
}
