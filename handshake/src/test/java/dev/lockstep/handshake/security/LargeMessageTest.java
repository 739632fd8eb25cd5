package dev.lockstep.handshake.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.netty.shaded.io.netty.util.internal.PlatformDependent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.SocketException;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Messages of a gigabyte. */
final class LargeMessageTest {
  private static final int GIGABYTE = 1 << 30;
  private static final long ROOM = 64 << 20;

  private static long memory() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
        + PlatformDependent.usedDirectMemory();
  }

  @Test
  void anAnnouncedGigabyte_isRefusedAtOnce() throws IOException {
    try (HealthyJob job = new HealthyJob();
        RawPeer peer = new RawPeer(job.server.port())) {
      peer.greet().open(1).frame(RawPeer.DATA, 0, 1, RawPeer.prefix(GIGABYTE));
      assertThat(peer.await(RawPeer.HEADERS, 1)).isTrue();
      job.log.await(1, "turned away " + peer.name(), "RESOURCE_EXHAUSTED", "1073741824");
      job.goesOn();
    }
  }

  @Test
  void aStreamedGigabyte_isThrownAway() throws IOException {
    try (HealthyJob job = new HealthyJob();
        RawPeer peer = new RawPeer(job.server.port())) {
      long before = memory();
      peer.greet().open(1).frame(RawPeer.DATA, 0, 1, RawPeer.prefix(GIGABYTE));
      byte[] part = new byte[16 << 10];
      long most = 0;
      try {
        // Without regard to what the windows of HTTP/2 allow.
        for (long sent = 0; sent < GIGABYTE; sent += part.length) {
          peer.frame(RawPeer.DATA, 0, 1, part);
          if (sent % (64 << 20) == 0) {
            most = Math.max(most, memory());
          }
        }
      } catch (SocketException closed) {
        // The rest was not wanted.
      }
      job.log.await(1, "turned away " + peer.name(), "RESOURCE_EXHAUSTED");
      assertThat(Math.max(most, memory()) - before).isLessThan(ROOM);
      job.goesOn();
    }
  }

  @Test
  void aGigabyteInOneCompressedMegabyte_isNotUnpacked() throws IOException {
    // Parts of 16 MiB one after the other: gunzip takes them as one.
    ByteArrayOutputStream part = new ByteArrayOutputStream();
    try (GZIPOutputStream packing = new GZIPOutputStream(part)) {
      packing.write(new byte[16 << 20]);
    }
    int parts = GIGABYTE / (16 << 20);
    // A field that the protocol does not know, of as many bytes.
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    try (GZIPOutputStream packing = new GZIPOutputStream(head)) {
      packing.write(new byte[] {0x7a, -128, -128, -128, -128, 4});
    }
    try (HealthyJob job = new HealthyJob();
        RawPeer peer = new RawPeer(job.server.port())) {
      long before = memory();
      byte[] prefix = RawPeer.prefix(head.size() + parts * part.size());
      prefix[0] = 1;
      peer.greet().open(1, "grpc-encoding", "gzip").frame(RawPeer.DATA, 0, 1, prefix);
      try {
        peer.frame(RawPeer.DATA, 0, 1, head.toByteArray());
        for (int i = 0; i < parts; i++) {
          byte[] bytes = part.toByteArray();
          peer.frame(RawPeer.DATA, 0, 1, Arrays.copyOf(bytes, bytes.length / 2));
          peer.frame(RawPeer.DATA, 0, 1, Arrays.copyOfRange(bytes, bytes.length / 2, bytes.length));
        }
      } catch (SocketException closed) {
        // The rest was not wanted.
      }
      job.log.await(1, "turned away " + peer.name(), "RESOURCE_EXHAUSTED");
      assertThat(memory() - before).isLessThan(ROOM);
      job.goesOn();
    }
  }
}
