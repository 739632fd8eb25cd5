package dev.lockstep.handshake.stream;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.RejectedExecutionException;

/**
 * The server's end of one stream, which ends once: what comes after that is lost. Used under the
 * lock of whoever serves it.
 *
 * @param <T> what is sent
 */
public final class Replies<T> {
  private final StreamObserver<T> to;
  private boolean ended;

  /** Sends to {@code to}, which nobody else sends to. */
  public Replies(StreamObserver<T> to) {
    this.to = to;
  }

  /** Returns whether nothing is sent any more. */
  public boolean ended() {
    return ended;
  }

  /** Sends a message. */
  public void send(T message) {
    if (!ended) {
      try {
        to.onNext(message);
      } catch (StatusRuntimeException | IllegalStateException | RejectedExecutionException gone) {
        // The stream was cancelled on another thread: its handler follows.
        ended = true;
      }
    }
  }

  /** Ends the stream for a reason that the other side is told. */
  public void end(Status why) {
    if (!ended) {
      ended = true;
      to.onError(why.asException());
    }
  }

  /** Ends the stream in peace. */
  public void complete() {
    if (!ended) {
      ended = true;
      to.onCompleted();
    }
  }
}
