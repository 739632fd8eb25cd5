package dev.lockstep.handshake.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
  void aGigabyteInOneCompressedMegabyte_isNotUnpacked() throws Exception {
    try (HealthyJob job = new HealthyJob()) {
      ManagedChannel channel = job.channel();
      MethodDescriptor.Marshaller<Integer> zeros =
          new MethodDescriptor.Marshaller<>() {
            @Override
            public InputStream stream(Integer length) {
              return new Zeros(length);
            }

            @Override
            public Integer parse(InputStream answer) {
              return 0;
            }
          };
      MethodDescriptor<Integer, Integer> session =
          MethodDescriptor.newBuilder(zeros, zeros)
              .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
              .setFullMethodName("lockstep.handshake.v1.Handshake/Session")
              .build();
      long before = memory();
      ClientCall<Integer, Integer> call =
          channel.newCall(session, CallOptions.DEFAULT.withCompression("gzip"));
      CompletableFuture<Status> end = new CompletableFuture<>();
      call.start(
          new ClientCall.Listener<>() {
            @Override
            public void onClose(Status status, Metadata trailers) {
              end.complete(status);
            }
          },
          new Metadata());
      call.request(1);
      call.sendMessage(GIGABYTE);
      assertThat(end.get(60, TimeUnit.SECONDS).isOk()).isFalse();
      job.log.await(1, "turned away 127.0.0.1:", "RESOURCE_EXHAUSTED");
      assertThat(memory() - before).isLessThan(ROOM);
      job.goesOn();
    }
  }

  /** Zeros without end but the length. */
  private static final class Zeros extends InputStream {
    private long left;

    Zeros(long length) {
      this.left = length;
    }

    @Override
    public int read() {
      return left-- > 0 ? 0 : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      if (left <= 0) {
        return -1;
      }
      int count = (int) Math.min(left, length);
      java.util.Arrays.fill(into, offset, offset + count, (byte) 0);
      left -= count;
      return count;
    }

    @Override
    public int available() {
      return (int) Math.min(left, Integer.MAX_VALUE);
    }
  }

}
