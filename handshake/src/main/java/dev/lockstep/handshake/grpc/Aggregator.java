package dev.lockstep.handshake.grpc;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.wire.Answer;
import dev.lockstep.handshake.wire.ClientFrame;
import dev.lockstep.handshake.wire.ClientMessage;
import dev.lockstep.handshake.wire.CoordinatorFrame;
import dev.lockstep.handshake.wire.CoordinatorMessage;
import dev.lockstep.handshake.wire.HandshakeGrpc;
import dev.lockstep.handshake.wire.Lost;
import dev.lockstep.handshake.wire.Refuse;
import dev.lockstep.handshake.wire.StatusReply;
import dev.lockstep.handshake.wire.StatusRequest;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Speaks for the ranks of a host on one stream: equal requests of one moment go up as one message,
 * and one answer comes back for all. It decides nothing: the coordinator, or the next aggregator,
 * sees every rank's request, hello and loss.
 *
 * <p>Since the coordinator holds it to account for what goes up, a stream is heard for the ranks
 * that were welcomed on it, and for nothing before that; what makes no sense ends the stream that
 * it came on.
 *
 * <p>When the stream upwards breaks, the streams of its ranks are ended too; they connect again and
 * repeat what matters, as after any broken connection.
 */
final class Aggregator extends HandshakeGrpc.HandshakeImplBase {
  private static final long LONGEST_GATHERING_MILLIS = 1;

  final Object lock = new Object();
  private final Channel upstream;
  final Protection protection;
  final Doorkeeper doors;
  final CoordinatorListener listener;
  final Speakers<AggregatorSession> speakers = new Speakers<>();
  private final List<AggregatorSession> sessions = new ArrayList<>();
  final Gathering gathering = new Gathering();

  /** What is to be sent down, stream by stream. */
  final List<OutgoingFrame> dirty = new ArrayList<>();

  private final LocalStream.Later later = new LocalStream.Later(Loops.group().next());
  private @Nullable Upward up;
  private boolean flushing;

  Aggregator(
      Channel upstream, Protection protection, Doorkeeper doors, CoordinatorListener listener) {
    this.upstream = upstream;
    this.protection = protection;
    this.doors = doors;
    this.listener = listener;
  }

  @Override
  public StreamObserver<ClientFrame> session(StreamObserver<CoordinatorFrame> replies) {
    ServerCallStreamObserver<CoordinatorFrame> call =
        (ServerCallStreamObserver<CoordinatorFrame>) replies;
    AggregatorSession session = add(Peer.current(), call, call::isReady);
    // As the coordinator does.
    call.disableAutoRequest();
    call.request(Integer.MAX_VALUE);
    call.setOnCancelHandler(session::gone);
    return session;
  }

  /** Opens a stream of a rank in this process. */
  void open(SessionCall rank) {
    rank.startedHere(add(Peer.SELF, new LocalStream(rank, later), () -> true));
  }

  private AggregatorSession add(
      Peer peer, StreamObserver<CoordinatorFrame> replies, BooleanSupplier ready) {
    AggregatorSession session = new AggregatorSession(this, peer, replies, ready);
    synchronized (lock) {
      sessions.add(session);
    }
    return session;
  }

  @Override
  public void status(StatusRequest request, StreamObserver<StatusReply> reply) {
    HandshakeGrpc.newStub(upstream).status(request, reply);
  }

  /** Sends up what was gathered: now, if nobody need be waited for, else soon. */
  void flush(boolean urgent) {
    if (urgent || gathering.requests() >= speakers.size()) {
      flush();
    } else if (!gathering.isEmpty() && !flushing) {
      flushing = true;
      Loops.after(
          LONGEST_GATHERING_MILLIS,
          () -> {
            synchronized (lock) {
              flushing = false;
              flush();
            }
          });
    }
  }

  /** Ends streams that have not introduced a rank in time; to be called now and then. */
  void sweep() {
    synchronized (lock) {
      long now = System.nanoTime();
      for (AggregatorSession session : ImmutableList.copyOf(sessions)) {
        if (session.overdue(now)) {
          session.end(Status.DEADLINE_EXCEEDED.withDescription("no rank was let in"));
          gone(session);
        }
      }
    }
  }

  private void flush() {
    if (!gathering.isEmpty()) {
      gathering.sendTo(upward());
    }
  }

  /** A stream has ended. */
  void gone(AggregatorSession session) {
    sessions.remove(session);
    for (int rank : speakers.gone(session)) {
      gathering.addLast(ClientMessage.newBuilder().setLost(Lost.newBuilder().setRank(rank)));
    }
    if (up != null) {
      flush();
    } else {
      gathering.clear();
    }
  }

  /** Ends all streams. */
  void close() {
    synchronized (lock) {
      Upward open = up;
      upwardGone("the aggregator has ended");
      if (open != null) {
        open.end();
      }
    }
  }

  private Upward upward() {
    Upward open = up;
    if (open == null) {
      Upward opened = new Upward();
      up = opened;
      open = opened;
      // Not as a part of the call of the rank that happens to come first: it would end with that.
      Context.ROOT.run(() -> HandshakeGrpc.newStub(upstream).session(opened));
    }
    return open;
  }

  private void upwardGone(String why) {
    up = null;
    gathering.clear();
    speakers.clear();
    for (AggregatorSession session : ImmutableList.copyOf(sessions)) {
      session.end(Status.UNAVAILABLE.withDescription("the coordinator cannot be reached: " + why));
    }
    sessions.clear();
  }

  /** The stream to the coordinator. */
  private final class Upward extends SessionCall {
    @Override
    public void onNext(CoordinatorFrame received) {
      synchronized (lock) {
        if (up != this) {
          return;
        }
        boolean urgent = false;
        for (CoordinatorMessage message : received.getMessagesList()) {
          urgent |= hand(message);
        }
        dirty.forEach(OutgoingFrame::send);
        dirty.clear();
        flush(urgent);
      }
    }

    /** Hands a message down; returns whether something must go up because of it. */
    private boolean hand(CoordinatorMessage message) {
      switch (message.getMessageCase()) {
        case ANSWER -> answer(message.getAnswer());
        case WELCOME -> {
          return welcome(message);
        }
        case REFUSE -> {
          Refuse refuse = message.getRefuse();
          AggregatorSession greeted = speakers.greeted(refuse.getRank(), refuse.getIncarnation());
          if (greeted != null) {
            to(greeted, message);
            return greeted.greeted(false);
          }
          to(speakers.ended(refuse.getRank(), refuse.getIncarnation()), message);
        }
        case NOTICE -> to(speakers.of(message.getNotice().getRank()), message);
        case HEARD -> to(speakers.of(message.getHeard().getRank()), message);
        case MESSAGE_NOT_SET -> {
          // Of a later version of the protocol.
        }
      }
      return false;
    }

    private boolean welcome(CoordinatorMessage message) {
      int rank = message.getWelcome().getRank();
      long incarnation = message.getWelcome().getIncarnation();
      AggregatorSession greeted = speakers.greeted(rank, incarnation);
      if (greeted == null) {
        return false;
      }
      if (greeted.ended()) {
        // Unless the same process has said hello again: the coordinator has that already, after
        // this.
        if (speakers.of(rank) == null && !speakers.greets(rank, incarnation)) {
          gathering.addLast(ClientMessage.newBuilder().setLost(Lost.newBuilder().setRank(rank)));
        }
        return true;
      }
      speakers.speaks(rank, incarnation, greeted);
      to(greeted, message);
      return greeted.greeted(true);
    }

    private void answer(Answer answer) {
      CoordinatorFrame unnamed =
          CoordinatorFrame.newBuilder()
              .addMessages(
                  CoordinatorMessage.newBuilder().setAnswer(answer.toBuilder().clearRanks()))
              .build();
      Map<AggregatorSession, Answer.Builder> parts = new LinkedHashMap<>();
      for (int i = 0; i < answer.getRanksCount(); i++) {
        AggregatorSession session = speakers.of(answer.getRanks(i));
        if (session == null) {
          continue;
        }
        if (session.outgoing.speaksForOne()) {
          session.outgoing.share(unnamed);
        } else {
          parts
              .computeIfAbsent(session, unused -> answer.toBuilder().clearRanks())
              .addRanks(answer.getRanks(i));
        }
      }
      parts.forEach(
          (session, part) -> session.outgoing.add(CoordinatorMessage.newBuilder().setAnswer(part)));
    }

    private void to(@Nullable AggregatorSession session, CoordinatorMessage message) {
      if (session != null) {
        session.outgoing.add(message.toBuilder());
      }
    }

    @Override
    void gone(String why) {
      synchronized (lock) {
        if (up == this) {
          upwardGone(why);
        }
      }
    }
  }
}
