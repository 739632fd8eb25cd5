package dev.lockstep.handshake.grpc;

import dev.lockstep.handshake.wire.ClientFrame;
import dev.lockstep.handshake.wire.CoordinatorFrame;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import org.jspecify.annotations.Nullable;

/** The client's end of one stream: of a rank, or of an aggregator upwards. */
abstract class SessionCall implements ClientResponseObserver<ClientFrame, CoordinatorFrame> {
  private @Nullable ClientCallStreamObserver<ClientFrame> requests;

  /** The stream has ended, however. */
  abstract void gone();

  @Override
  public final void beforeStart(ClientCallStreamObserver<ClientFrame> requestStream) {
    requests = requestStream;
  }

  /** Sends a frame; one on a stream that has just ended is lost, and {@link #gone} follows. */
  final void send(ClientFrame frame) {
    ClientCallStreamObserver<ClientFrame> to = requests;
    if (to != null) {
      try {
        to.onNext(frame);
      } catch (IllegalStateException ended) {
        // It has ended on another thread: onError follows.
      }
    }
  }

  /** Says that nothing more will be sent. */
  final void end() {
    ClientCallStreamObserver<ClientFrame> to = requests;
    if (to != null) {
      to.onCompleted();
    }
  }

  @Override
  public final void onError(Throwable cause) {
    gone();
  }

  @Override
  public final void onCompleted() {
    gone();
  }
}
