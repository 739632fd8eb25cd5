package dev.lockstep.handshake.grpc;

import dev.lockstep.handshake.stream.Trouble;
import dev.lockstep.handshake.wire.ClientFrame;
import dev.lockstep.handshake.wire.CoordinatorFrame;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;

/** The client's end of one stream: of a rank, or of an aggregator upwards. */
abstract class SessionCall implements ClientResponseObserver<ClientFrame, CoordinatorFrame> {
  private @Nullable StreamObserver<ClientFrame> requests;

  /**
   * The stream has ended, however.
   *
   * @param why the cause, for people; empty when the other side has ended it in peace
   */
  abstract void gone(String why);

  @Override
  public final void beforeStart(ClientCallStreamObserver<ClientFrame> requestStream) {
    requests = requestStream;
    // Frames are handled where they are read: asking for one at a time would slow nobody down.
    requestStream.disableAutoRequestWithInitial(Integer.MAX_VALUE);
  }

  /** As {@link #beforeStart} for a stream that stays in this process. */
  final void startedHere(StreamObserver<ClientFrame> requestStream) {
    requests = requestStream;
  }

  /** Sends a frame; one on a stream that has just ended is lost, and {@link #gone} follows. */
  final void send(ClientFrame frame) {
    StreamObserver<ClientFrame> to = requests;
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
    StreamObserver<ClientFrame> to = requests;
    if (to != null) {
      to.onCompleted();
    }
  }

  @Override
  public final void onError(Throwable cause) {
    gone(Trouble.of(cause));
  }

  @Override
  public final void onCompleted() {
    gone("");
  }
}
