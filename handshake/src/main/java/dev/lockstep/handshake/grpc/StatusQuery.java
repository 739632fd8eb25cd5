package dev.lockstep.handshake.grpc;

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
   * @throws IOException if it cannot be reached within {@code seconds}, or refuses; the message
   *     says why
   */
  public static StatusReply ask(String target, Transport transport, String token, long seconds)
      throws IOException {
    ManagedChannel channel = Channels.open(target, transport);
    try {
      return HandshakeGrpc.newBlockingStub(channel)
          .withWaitForReady()
          .withDeadlineAfter(seconds, TimeUnit.SECONDS)
          .status(StatusRequest.newBuilder().setToken(token).build());
    } catch (StatusRuntimeException refused) {
      String why = refused.getStatus().getDescription();
      throw new IOException(
          switch (refused.getStatus().getCode()) {
            case UNAUTHENTICATED -> why == null ? "not authenticated" : why;
            case DEADLINE_EXCEEDED -> "no answer within " + seconds + " s";
            default -> refused.getStatus().getCode() + (why == null ? "" : ": " + why);
          },
          refused);
    } finally {
      channel.shutdownNow();
    }
  }
}
