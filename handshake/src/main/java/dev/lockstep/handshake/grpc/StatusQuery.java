package dev.lockstep.handshake.grpc;

import dev.lockstep.handshake.stream.Trouble;
import dev.lockstep.handshake.wire.HandshakeGrpc;
import dev.lockstep.handshake.wire.StatusReply;
import dev.lockstep.handshake.wire.StatusRequest;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Asks a coordinator what is going on. */
public final class StatusQuery {
  private StatusQuery() {}

  /**
   * Returns what the coordinator says of the job.
   *
   * @throws RefusedException if it refuses; the message says why
   * @throws IOException if it cannot be reached within {@code seconds}; the message says why
   */
  public static StatusReply ask(String target, Transport transport, String token, long seconds)
      throws IOException {
    ManagedChannel channel = Channels.open(target, transport);
    try {
      return HandshakeGrpc.newBlockingStub(channel)
          .withDeadlineAfter(seconds, TimeUnit.SECONDS)
          .status(StatusRequest.newBuilder().setToken(token).build());
    } catch (StatusRuntimeException refused) {
      String why = refused.getStatus().getDescription();
      throw switch (refused.getStatus().getCode()) {
        case UNAUTHENTICATED, PERMISSION_DENIED ->
            new RefusedException(why == null ? "not authenticated" : why, refused);
        case DEADLINE_EXCEEDED -> new IOException("no answer within " + seconds + " s", refused);
        default -> new IOException(Trouble.of(refused), refused);
      };
    } finally {
      channel.shutdownNow();
    }
  }
}
