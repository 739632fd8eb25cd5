package dev.lockstep.handshake.relay;

import com.google.common.primitives.ImmutableIntArray;
import com.google.protobuf.ByteString;
import dev.lockstep.handshake.stream.Replies;
import dev.lockstep.handshake.wire.FromRank;
import dev.lockstep.handshake.wire.Over;
import dev.lockstep.handshake.wire.PieceFrom;
import dev.lockstep.handshake.wire.RelayGrpc;
import dev.lockstep.handshake.wire.RelayHello;
import dev.lockstep.handshake.wire.RelayWelcome;
import dev.lockstep.handshake.wire.ToRank;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A relay behind gRPC: one lock around the state machine, which never blocks, so that it may run on
 * the threads of the event loop. A stream is read one message at a time, and only when what came
 * before was passed on.
 */
public final class RelayService extends RelayGrpc.RelayImplBase {
  /** A stream that has not introduced a rank by then is closed. */
  private static final long GREETING_NANOS = Duration.ofSeconds(10).toNanos();

  private static final int STRANGER = -1;

  private final Object lock = new Object();
  private final Relay<Stream> relay;

  /** Streams without a rank yet, and when they were opened. */
  private final Map<Stream, Long> strangers = new LinkedHashMap<>();

  private final Supplier<Guest> guests;

  /**
   * Creates the service.
   *
   * @param guests says, on the thread that opens a stream, who does
   */
  public RelayService(RelayOptions options, Supplier<Guest> guests) {
    this.relay = new Relay<>(options, new Output());
    this.guests = guests;
  }

  @Override
  public StreamObserver<FromRank> join(StreamObserver<ToRank> replies) {
    return new Stream((ServerCallStreamObserver<ToRank>) replies);
  }

  /** Lets time pass; to be called often. */
  public void tick() {
    synchronized (lock) {
      long now = System.nanoTime();
      relay.tick(now);
      strangers
          .entrySet()
          .removeIf(
              entry -> {
                boolean late = now - entry.getValue() > GREETING_NANOS;
                if (late) {
                  entry
                      .getKey()
                      .fail(Status.DEADLINE_EXCEEDED.withDescription("no rank has said hello"));
                }
                return late;
              });
    }
  }

  private final class Stream implements StreamObserver<FromRank> {
    private final ServerCallStreamObserver<ToRank> call;
    private final Replies<ToRank> replies;
    private final Guest guest = guests.get();
    private int rank = STRANGER;

    Stream(ServerCallStreamObserver<ToRank> call) {
      this.call = call;
      this.replies = new Replies<>(call);
      call.disableAutoRequest();
      call.request(1);
      call.setOnReadyHandler(
          () -> {
            synchronized (lock) {
              relay.roomAgain();
            }
          });
      call.setOnCancelHandler(this::gone);
      synchronized (lock) {
        strangers.put(this, System.nanoTime());
      }
    }

    @Override
    public void onNext(FromRank message) {
      synchronized (lock) {
        long now = System.nanoTime();
        if (replies.ended()) {
          return;
        }
        if (rank == STRANGER) {
          greet(message, now);
          return;
        }
        switch (message.getMessageCase()) {
          case PIECE ->
              relay.piece(
                  rank,
                  ImmutableIntArray.copyOf(message.getPiece().getTargetsList()),
                  message.getPiece().getData(),
                  message.getPiece().getMore(),
                  now);
          case WAITS ->
              relay.waits(rank, message.getWaits().getTaken(), message.getWaits().getWhere(), now);
          case LIVES -> relay.lives(rank, now);
          case END -> {
            relay.end(rank, message.getEnd().getFailure(), now);
            rank = STRANGER;
            complete();
          }
          case HELLO, MESSAGE_NOT_SET -> relay.lose(rank, "has sent what makes no sense", now);
        }
      }
    }

    private void greet(FromRank message, long now) {
      strangers.remove(this);
      if (!message.hasHello()) {
        fail(Status.INVALID_ARGUMENT.withDescription("the first message must be a hello"));
        return;
      }
      RelayHello hello = message.getHello();
      String refusal = guest.refusal(hello.getJob(), hello.getRank());
      if (!refusal.isEmpty()) {
        fail(Status.PERMISSION_DENIED.withDescription(refusal));
      } else if (relay.hello(
          this,
          hello.getJob(),
          hello.getToken(),
          hello.getEpoch(),
          hello.getRank(),
          hello.getWorld(),
          now)) {
        rank = hello.getRank();
        guest.admitted();
      }
    }

    @Override
    public void onError(Throwable cause) {
      gone();
    }

    @Override
    public void onCompleted() {
      gone();
      synchronized (lock) {
        complete();
      }
    }

    private void gone() {
      synchronized (lock) {
        strangers.remove(this);
        if (rank != STRANGER) {
          relay.disconnected(rank, this, System.nanoTime());
          rank = STRANGER;
        }
      }
    }

    private void send(ToRank.Builder message) {
      replies.send(message.build());
    }

    private void complete() {
      replies.complete();
    }

    private void fail(Status why) {
      replies.end(why);
    }
  }

  private static final class Output implements RelayOutput<Stream> {
    @Override
    public void welcome(Stream stream) {
      stream.send(ToRank.newBuilder().setWelcome(RelayWelcome.getDefaultInstance()));
    }

    @Override
    public void notYet(Stream stream, String why) {
      stream.fail(Status.UNAVAILABLE.withDescription(why));
    }

    @Override
    public void piece(Stream stream, int source, ByteString data, boolean more) {
      stream.send(
          ToRank.newBuilder()
              .setPiece(PieceFrom.newBuilder().setSource(source).setData(data).setMore(more)));
    }

    @Override
    public void over(Stream stream, Why why, String text) {
      if (why == Why.REFUSED && stream.rank == STRANGER) {
        stream.guest.refused(text);
      }
      Over.Reason reason =
          switch (why) {
            case LOST -> Over.Reason.LOST;
            case STALLED -> Over.Reason.STALLED;
            case REFUSED -> Over.Reason.REFUSED;
          };
      stream.send(ToRank.newBuilder().setOver(Over.newBuilder().setReason(reason).setText(text)));
      stream.complete();
    }

    @Override
    public void resume(Stream stream) {
      if (!stream.replies.ended()) {
        stream.call.request(1);
      }
    }

    @Override
    public boolean hasRoom(Stream stream) {
      return stream.replies.ended() || stream.call.isReady();
    }
  }
}
