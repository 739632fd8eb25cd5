package dev.lockstep.handshake.relay;

import static java.util.Objects.requireNonNull;

import com.google.common.primitives.ImmutableIntArray;
import com.google.protobuf.ByteString;
import dev.lockstep.handshake.stream.Trouble;
import dev.lockstep.handshake.wire.End;
import dev.lockstep.handshake.wire.FromRank;
import dev.lockstep.handshake.wire.Lives;
import dev.lockstep.handshake.wire.Over;
import dev.lockstep.handshake.wire.Piece;
import dev.lockstep.handshake.wire.RelayGrpc;
import dev.lockstep.handshake.wire.RelayHello;
import dev.lockstep.handshake.wire.ToRank;
import dev.lockstep.handshake.wire.Waits;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One rank's stream to a relay. One thread sends and receives. Until the relay has let the rank in,
 * the stream is opened again and again for a time; after that a broken one is not, since what was
 * on its way is lost.
 */
public final class RelayClient implements AutoCloseable {
  /** The largest part of a parcel, well below the largest message. */
  private static final int PIECE = 1 << 20;

  private static final long BEAT_MILLIS = 500;
  private static final long RETRY_MILLIS = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** What was sent may wait for a rank that comes late; the relay does not wait for ever. */
  private static final long PEACEFUL_FAREWELL_NANOS = TimeUnit.SECONDS.toNanos(90);

  private static final long FAREWELL_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Who joins; {@code epoch} is how often the job was restarted. */
  public record Joining(String job, String token, long epoch, int rank, int world) {}

  /**
   * What a rank has sent this one.
   *
   * @param source the sender
   * @param bytes what it sent; the receiver's own
   */
  public record Parcel(int source, byte[] bytes) {}

  private final Object lock = new Object();
  private final Channel channel;
  private final Joining joining;
  private final ScheduledExecutorService timer;
  private final long patienceNanos;
  private final long beganAt = System.nanoTime();
  private final ScheduledFuture<?> beating;
  private final Parcels parcels = new Parcels();
  private @Nullable Replies stream;
  private boolean welcomed;

  private boolean troubled; // The relay could not be reached at first.
  private long taken;
  private boolean spoke = true;
  private boolean ended;
  private boolean closed;
  private @Nullable RelayException over;

  private RelayClient(
      Channel channel, Joining joining, ScheduledExecutorService timer, Duration patience) {
    this.channel = channel;
    this.joining = joining;
    this.timer = timer;
    this.patienceNanos = patience.toNanos();
    this.beating =
        timer.scheduleWithFixedDelay(this::beat, BEAT_MILLIS, BEAT_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * Joins a relay; one that cannot be reached for 30 s is given up. That, or a refusal, is told by
   * what is sent or received first.
   *
   * @param channel not closed with the client
   * @param timer on which time passes; not closed with the client
   */
  public static RelayClient join(Channel channel, Joining joining, ScheduledExecutorService timer) {
    return join(channel, joining, timer, PATIENCE);
  }

  /** Joins a relay that is tried for as long as {@code patience} while it cannot be reached. */
  public static RelayClient join(
      Channel channel, Joining joining, ScheduledExecutorService timer, Duration patience) {
    RelayClient joined = new RelayClient(channel, joining, timer, patience);
    joined.open();
    return joined;
  }

  private void open() {
    synchronized (lock) {
      if (closed || over != null) {
        return;
      }
      Replies opened = new Replies();
      stream = opened;
      RelayGrpc.newStub(channel).join(opened);
      say(
          FromRank.newBuilder()
              .setHello(
                  RelayHello.newBuilder()
                      .setJob(joining.job())
                      .setToken(joining.token())
                      .setEpoch(joining.epoch())
                      .setRank(joining.rank())
                      .setWorld(joining.world())));
    }
  }

  /** Returns which rank this is. */
  public int rank() {
    return joining.rank();
  }

  /**
   * Sends {@code bytes} to each of {@code targets}; waits while the relay has no room.
   *
   * @throws RelayException if the ranks cannot go on together
   */
  public void send(ImmutableIntArray targets, byte[] bytes) {
    int from = 0;
    do {
      int size = Math.min(PIECE, bytes.length - from);
      Piece.Builder piece =
          Piece.newBuilder()
              .setData(ByteString.copyFrom(bytes, from, size))
              .setMore(from + size < bytes.length);
      targets.forEach(piece::addTargets);
      from += size;
      synchronized (lock) {
        while (over == null && !ended && !isReady()) {
          await();
        }
        check();
        say(FromRank.newBuilder().setPiece(piece));
      }
    } while (from < bytes.length);
  }

  /**
   * Returns the next parcel for this rank; waits for one.
   *
   * @param where what this rank waits in, in words, for messages to the others
   * @throws RelayException if the ranks cannot go on together
   */
  public Parcel receive(String where) {
    synchronized (lock) {
      boolean said = false;
      while (parcels.isEmpty()) {
        check();
        if (welcomed && !said) {
          said = true;
          say(FromRank.newBuilder().setWaits(Waits.newBuilder().setTaken(taken).setWhere(where)));
        }
        await();
      }
      taken++;
      return parcels.remove();
    }
  }

  /** Does as {@link #receive(String)}, but returns null when none has come within the limit. */
  public @Nullable Parcel receive(String where, Duration limit) {
    long until = System.nanoTime() + limit.toNanos();
    synchronized (lock) {
      while (parcels.isEmpty()) {
        check();
        long left = until - System.nanoTime();
        if (left <= 0) {
          return null;
        }
        try {
          TimeUnit.NANOSECONDS.timedWait(lock, left);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new RelayException(false, "rank " + rank() + " was interrupted in " + where);
        }
      }
      taken++;
      return parcels.remove();
    }
  }

  /** Waits once; whoever calls this looks again, in a loop, whether to go on. */
  @SuppressWarnings("WaitNotInLoop")
  private void await() {
    try {
      lock.wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RelayException(false, "rank " + rank() + " was interrupted");
    }
  }

  private void check() {
    RelayException why = over;
    if (why != null) {
      throw why;
    }
    if (ended) {
      throw new RelayException(false, "the connection to the relay is closed");
    }
  }

  /** Whether the relay has let this rank in, and more may be sent. */
  private boolean isReady() {
    return welcomed && stream != null && stream.requests().isReady();
  }

  private void say(FromRank.Builder message) {
    Replies to = stream;
    if (to == null) {
      return;
    }
    try {
      to.requests().onNext(message.build());
      spoke = true;
    } catch (IllegalStateException broken) {
      // The stream has ended on another thread: what it ended with follows.
    }
  }

  private void beat() {
    synchronized (lock) {
      if (over == null && !ended && !spoke && isReady()) {
        say(FromRank.newBuilder().setLives(Lives.getDefaultInstance()));
      }
      spoke = false;
    }
  }

  /** Leaves in peace, once all that was sent has been passed on. May be called again. */
  @Override
  public void close() {
    end("", PEACEFUL_FAREWELL_NANOS);
  }

  /** Leaves in peace, and does not wait longer than {@code limit} for what was sent. */
  public void close(Duration limit) {
    end("", limit.toNanos());
  }

  /** Leaves because this rank cannot go on; the others are told {@code failure}. */
  public void fail(String failure) {
    end(failure.isEmpty() ? "for no reason that is known" : failure, FAREWELL_NANOS);
  }

  private void end(String failure, long limit) {
    beating.cancel(false);
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      if (over != null || ended) {
        return;
      }
      boolean said = false;
      long until = System.nanoTime() + limit;
      for (long left = limit; !ended && left > 0; left = until - System.nanoTime()) {
        if (welcomed && !said) {
          said = true;
          say(FromRank.newBuilder().setEnd(End.newBuilder().setFailure(failure)));
        }
        if (troubled && !welcomed) {
          break;
        }
        try {
          TimeUnit.NANOSECONDS.timedWait(lock, left);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          break;
        }
      }
      if (!ended && stream != null) {
        stream.requests().cancel("the rank has left", null);
      }
      ended = true;
    }
  }

  private void take(ToRank message) {
    switch (message.getMessageCase()) {
      case PIECE -> {
        if (!parcels.take(message.getPiece())) {
          int source = message.getPiece().getSource();
          over = new RelayException(false, "rank " + source + " has sent too large a parcel");
        }
      }
      case OVER ->
          over =
              new RelayException(
                  message.getOver().getReason() == Over.Reason.STALLED,
                  message.getOver().getText());
      case WELCOME -> welcomed = true;
      case MESSAGE_NOT_SET -> {
        // Nothing to do: what a later version says, it says in other ways too.
      }
    }
  }

  private final class Replies implements ClientResponseObserver<FromRank, ToRank> {
    private @Nullable ClientCallStreamObserver<FromRank> requests;

    ClientCallStreamObserver<FromRank> requests() {
      return requireNonNull(requests, "gRPC has opened no stream");
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<FromRank> requestStream) {
      requests = requestStream;
      requestStream.setOnReadyHandler(this::wake);
    }

    private void wake() {
      synchronized (lock) {
        lock.notifyAll();
      }
    }

    @Override
    public void onNext(ToRank message) {
      synchronized (lock) {
        take(message);
        lock.notifyAll();
      }
    }

    @Override
    public void onError(Throwable cause) {
      synchronized (lock) {
        if (over == null && !closed) {
          if (!welcomed
              && Status.fromThrowable(cause).getCode() == Status.Code.UNAVAILABLE
              && tryAgain()) {
            troubled = true;
            return;
          }
          over = new RelayException(false, broken(cause));
        }
        ended = true;
        lock.notifyAll();
      }
    }

    @Override
    public void onCompleted() {
      synchronized (lock) {
        ended = true;
        lock.notifyAll();
      }
    }
  }

  /** Opens the stream again a little later; returns false when that has been tried long enough. */
  private boolean tryAgain() {
    if (System.nanoTime() - beganAt >= patienceNanos) {
      return false;
    }
    try {
      @SuppressWarnings("unused")
      Object scheduled = timer.schedule(this::open, RETRY_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (RejectedExecutionException over) {
      return false;
    }
  }

  private String broken(Throwable cause) {
    return welcomed
        ? "the connection to the coordinator broke: " + Trouble.of(cause)
        : "the coordinator was not reached for "
            + (System.nanoTime() - beganAt) / 1_000_000
            + " ms: "
            + Trouble.of(cause);
  }
}
