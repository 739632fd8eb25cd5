package dev.lockstep.handshake.relay;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.protobuf.ByteString;
import dev.lockstep.handshake.wire.End;
import dev.lockstep.handshake.wire.FromRank;
import dev.lockstep.handshake.wire.Lives;
import dev.lockstep.handshake.wire.Over;
import dev.lockstep.handshake.wire.Piece;
import dev.lockstep.handshake.wire.PieceFrom;
import dev.lockstep.handshake.wire.RelayGrpc;
import dev.lockstep.handshake.wire.RelayHello;
import dev.lockstep.handshake.wire.ToRank;
import dev.lockstep.handshake.wire.Waits;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One rank's stream to a relay. One thread sends and receives; a broken stream is not opened again,
 * since what was on its way is lost.
 */
public final class RelayClient implements AutoCloseable {
  /** The largest part of a parcel, well below the largest message. */
  private static final int PIECE = 1 << 20;

  /** The largest parcel: what a Java array holds. */
  private static final long LARGEST = Integer.MAX_VALUE - 16;

  private static final long BEAT_MILLIS = 500;
  private static final long FAREWELL_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * Who joins.
   *
   * @param epoch how often the job was restarted
   */
  public record Joining(String job, String token, long epoch, int rank, int world) {}

  /**
   * What a rank has sent this one.
   *
   * @param source the sender
   * @param bytes what it sent; the receiver's own
   */
  public record Parcel(int source, byte[] bytes) {}

  private final Object lock = new Object();
  private final int rank;
  private final ClientCallStreamObserver<FromRank> requests;
  private final ScheduledFuture<?> beating;
  private final ArrayDeque<Parcel> parcels = new ArrayDeque<>();
  private final Map<Integer, List<ByteString>> halves = new HashMap<>();
  private long taken;
  private boolean spoke = true;
  private boolean ended;
  private boolean closed;
  private @Nullable RelayException over;

  private RelayClient(Channel channel, Joining joining, ScheduledExecutorService timer) {
    this.rank = joining.rank();
    Replies replies = new Replies();
    RelayGrpc.newStub(channel).withWaitForReady().join(replies);
    this.requests = replies.requests();
    this.beating =
        timer.scheduleWithFixedDelay(this::beat, BEAT_MILLIS, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    synchronized (lock) {
      requests.onNext(
          FromRank.newBuilder()
              .setHello(
                  RelayHello.newBuilder()
                      .setJob(joining.job())
                      .setToken(joining.token())
                      .setEpoch(joining.epoch())
                      .setRank(joining.rank())
                      .setWorld(joining.world()))
              .build());
    }
  }

  /**
   * Joins a relay. That it does not answer, or refuses, is told by the first {@link #receive}.
   *
   * @param channel not closed with the client
   * @param timer on which time passes; not closed with the client
   */
  public static RelayClient join(Channel channel, Joining joining, ScheduledExecutorService timer) {
    return new RelayClient(channel, joining, timer);
  }

  /** Returns which rank this is. */
  public int rank() {
    return rank;
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
        while (over == null && !ended && !requests.isReady()) {
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
      if (parcels.isEmpty() && over == null && !ended) {
        say(FromRank.newBuilder().setWaits(Waits.newBuilder().setTaken(taken).setWhere(where)));
      }
      while (parcels.isEmpty()) {
        check();
        await();
      }
      taken++;
      return parcels.remove();
    }
  }

  /**
   * Returns the next parcel for this rank, or null when none has come within {@code limit}.
   *
   * @param where what this rank waits in, in words, for messages to the others
   * @throws RelayException if the ranks cannot go on together
   */
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
          throw new RelayException(false, "rank " + rank + " was interrupted in " + where);
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
      throw new RelayException(false, "rank " + rank + " was interrupted");
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

  private void say(FromRank.Builder message) {
    try {
      requests.onNext(message.build());
      spoke = true;
    } catch (IllegalStateException broken) {
      // The stream has ended on another thread: what it ended with follows.
    }
  }

  private void beat() {
    synchronized (lock) {
      if (over == null && !ended && !spoke && requests.isReady()) {
        say(FromRank.newBuilder().setLives(Lives.getDefaultInstance()));
      }
      spoke = false;
    }
  }

  /** Leaves in peace, once all that was sent has been passed on. May be called again. */
  @Override
  public void close() {
    end("");
  }

  /** Leaves because this rank cannot go on; the others are told {@code failure}. */
  public void fail(String failure) {
    end(failure.isEmpty() ? "for no reason that is known" : failure);
  }

  private void end(String failure) {
    beating.cancel(false);
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      if (over != null || ended) {
        return;
      }
      say(FromRank.newBuilder().setEnd(End.newBuilder().setFailure(failure)));
      long until = System.nanoTime() + FAREWELL_NANOS;
      for (long left = FAREWELL_NANOS; !ended && left > 0; left = until - System.nanoTime()) {
        try {
          TimeUnit.NANOSECONDS.timedWait(lock, left);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
      ended = true;
    }
  }

  private void take(ToRank message) {
    switch (message.getMessageCase()) {
      case PIECE -> take(message.getPiece());
      case OVER ->
          over =
              new RelayException(
                  message.getOver().getReason() == Over.Reason.STALLED,
                  message.getOver().getText());
      case WELCOME, MESSAGE_NOT_SET -> {
        // Nothing to do: what a later version says, it says in other ways too.
      }
    }
  }

  private void take(PieceFrom piece) {
    if (!piece.getMore() && !halves.containsKey(piece.getSource())) {
      parcels.add(new Parcel(piece.getSource(), piece.getData().toByteArray()));
      return;
    }
    List<ByteString> parts = halves.computeIfAbsent(piece.getSource(), s -> new ArrayList<>());
    parts.add(piece.getData());
    long size = 0;
    for (ByteString part : parts) {
      size += part.size();
    }
    if (size > LARGEST) {
      over =
          new RelayException(false, "rank " + piece.getSource() + " has sent too large a parcel");
      return;
    }
    if (!piece.getMore()) {
      halves.remove(piece.getSource());
      byte[] whole = new byte[(int) size];
      int at = 0;
      for (ByteString part : ImmutableList.copyOf(parts)) {
        part.copyTo(whole, at);
        at += part.size();
      }
      parcels.add(new Parcel(piece.getSource(), whole));
    }
  }

  private final class Replies implements ClientResponseObserver<FromRank, ToRank> {
    private @Nullable ClientCallStreamObserver<FromRank> stream;

    ClientCallStreamObserver<FromRank> requests() {
      ClientCallStreamObserver<FromRank> opened = stream;
      if (opened == null) {
        throw new IllegalStateException("gRPC has opened no stream");
      }
      return opened;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<FromRank> requestStream) {
      stream = requestStream;
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
          Status status = Status.fromThrowable(cause);
          String why = status.getDescription();
          over =
              new RelayException(
                  false,
                  "the connection to the coordinator broke: "
                      + (why == null ? status.getCode().toString() : why));
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
}
