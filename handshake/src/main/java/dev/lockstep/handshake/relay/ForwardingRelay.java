package dev.lockstep.handshake.relay;

import dev.lockstep.handshake.stream.Replies;
import dev.lockstep.handshake.wire.FromRank;
import dev.lockstep.handshake.wire.Over;
import dev.lockstep.handshake.wire.RelayGrpc;
import dev.lockstep.handshake.wire.RelayHello;
import dev.lockstep.handshake.wire.ToRank;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes the streams of a host's ranks on to a relay, one for one. It decides nothing and keeps
 * nothing: a stream is read only while the one that it is passed on to has room, so that the relay
 * holds a rank up through it as it does directly.
 */
public final class ForwardingRelay extends RelayGrpc.RelayImplBase {
  private final Channel upstream;
  private final Supplier<Guest> guests;

  /**
   * Creates the service.
   *
   * @param upstream leads to the relay; not closed with the service
   * @param guests says, on the thread that opens a stream, who does
   */
  public ForwardingRelay(Channel upstream, Supplier<Guest> guests) {
    this.upstream = upstream;
    this.guests = guests;
  }

  @Override
  public StreamObserver<FromRank> join(StreamObserver<ToRank> replies) {
    return new Passage((ServerCallStreamObserver<ToRank>) replies);
  }

  /** One rank's stream, and the one that it is passed on to. */
  private final class Passage implements StreamObserver<FromRank> {
    private final Object lock = new Object();
    private final ServerCallStreamObserver<ToRank> down;
    private final Replies<ToRank> replies;
    private final Guest guest = guests.get();
    private @Nullable ClientCallStreamObserver<FromRank> up;
    private boolean upEnded;

    /** Whether the rank's next message is asked for once there is room for it. */
    private boolean owesUp;

    private boolean owesDown;
    private boolean welcomed;

    Passage(ServerCallStreamObserver<ToRank> down) {
      this.down = down;
      this.replies = new Replies<>(down);
      down.disableAutoRequest();
      down.request(1);
      down.setOnReadyHandler(this::roomDown);
      down.setOnCancelHandler(this::gone);
    }

    @Override
    public void onNext(FromRank message) {
      synchronized (lock) {
        if (replies.ended() || upEnded) {
          return;
        }
        if (up == null && !open(message)) {
          return;
        }
        ClientCallStreamObserver<FromRank> to = up;
        if (to != null) {
          send(to, message);
          owesUp = true;
          roomUp();
        }
      }
    }

    private void send(ClientCallStreamObserver<FromRank> to, FromRank message) {
      try {
        to.onNext(message);
      } catch (IllegalStateException ended) {
        // It has ended on another thread: what it ended with follows.
        upEnded = true;
      }
    }

    private boolean open(FromRank message) {
      RelayHello hello = message.getHello();
      String refusal =
          message.hasHello()
              ? guest.refusal(hello.getJob(), hello.getRank())
              : "the first message must be a hello";
      if (!refusal.isEmpty()) {
        guest.refused(refusal);
        replies.end(Status.PERMISSION_DENIED.withDescription(refusal));
        return false;
      }
      // Not as a part of the rank's call: it would be cancelled before the relay hears why.
      Context.ROOT.run(() -> RelayGrpc.newStub(upstream).join(new Answers()));
      return true;
    }

    private void roomUp() {
      synchronized (lock) {
        if (owesUp && up != null && up.isReady() && !replies.ended()) {
          owesUp = false;
          down.request(1);
        }
      }
    }

    private void roomDown() {
      synchronized (lock) {
        if (owesDown && up != null && down.isReady() && !upEnded) {
          owesDown = false;
          up.request(1);
        }
      }
    }

    @Override
    public void onError(Throwable cause) {
      gone();
    }

    @Override
    public void onCompleted() {
      synchronized (lock) {
        if (up != null && !upEnded) {
          upEnded = true;
          up.onCompleted();
        }
        replies.complete();
      }
    }

    private void gone() {
      synchronized (lock) {
        if (up != null && !upEnded) {
          upEnded = true;
          up.cancel("the rank's connection broke", null);
        }
      }
    }

    /** What the relay says. */
    private final class Answers implements ClientResponseObserver<FromRank, ToRank> {
      @Override
      public void beforeStart(ClientCallStreamObserver<FromRank> requests) {
        up = requests;
        requests.disableAutoRequestWithInitial(1);
        requests.setOnReadyHandler(Passage.this::roomUp);
      }

      @Override
      public void onNext(ToRank message) {
        synchronized (lock) {
          if (message.hasWelcome()) {
            welcomed = true;
            guest.admitted();
          } else if (!welcomed && message.getOver().getReason() == Over.Reason.REFUSED) {
            guest.refused(message.getOver().getText());
          }
          replies.send(message);
          owesDown = true;
          roomDown();
        }
      }

      @Override
      public void onError(Throwable cause) {
        synchronized (lock) {
          upEnded = true;
          Status status = Status.fromThrowable(cause);
          replies.end(Status.fromCode(status.getCode()).withDescription(status.getDescription()));
        }
      }

      @Override
      public void onCompleted() {
        synchronized (lock) {
          upEnded = true;
          replies.complete();
        }
      }
    }
  }
}
