package dev.lockstep.handshake.grpc;

import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.wire.Answer;
import dev.lockstep.handshake.wire.Ask;
import dev.lockstep.handshake.wire.ClientFrame;
import dev.lockstep.handshake.wire.ClientMessage;
import dev.lockstep.handshake.wire.CoordinatorFrame;
import dev.lockstep.handshake.wire.CoordinatorMessage;
import dev.lockstep.handshake.wire.HandshakeGrpc;
import dev.lockstep.handshake.wire.Lost;
import dev.lockstep.handshake.wire.StatusReply;
import dev.lockstep.handshake.wire.StatusRequest;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Speaks for the ranks of a host on one stream: equal requests of one moment go up as one message,
 * and one answer comes back for all. It decides nothing: the coordinator, or the next aggregator,
 * sees every rank's request, hello and loss.
 *
 * <p>When the stream upwards breaks, the streams of its ranks are ended too; they connect again and
 * repeat what matters, as after any broken connection.
 */
final class Aggregator extends HandshakeGrpc.HandshakeImplBase {
  private static final long LONGEST_GATHERING_MILLIS = 1;

  private final Object lock = new Object();
  private final Channel upstream;
  private final Map<Integer, Session> speakers = new HashMap<>();
  private final List<Session> sessions = new ArrayList<>();
  private final Map<RankList, Integer> groups = new HashMap<>();
  private final Map<ProgramSummary, Integer> programs = new HashMap<>();

  /** Requests that have not gone up yet: what is equal but for the ranks, and the ranks. */
  private final Map<Ask, Ask.Builder> gathered = new LinkedHashMap<>();

  private ClientFrame.Builder frame = ClientFrame.newBuilder();
  private @Nullable Upward up;
  private int ranksWaiting;
  private boolean flushing;

  Aggregator(Channel upstream) {
    this.upstream = upstream;
  }

  @Override
  public StreamObserver<ClientFrame> session(StreamObserver<CoordinatorFrame> replies) {
    Session session = new Session((ServerCallStreamObserver<CoordinatorFrame>) replies);
    synchronized (lock) {
      sessions.add(session);
    }
    return session;
  }

  @Override
  public void status(StatusRequest request, StreamObserver<StatusReply> reply) {
    HandshakeGrpc.newStub(upstream).status(request, reply);
  }

  /** Sends up what was gathered, at the latest a little after its first part came. */
  private void flushLater() {
    if (!flushing) {
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

  /** Ends the gathering: what a rank says after its requests must go up after them. */
  private void closeAsks() {
    for (Ask.Builder ask : gathered.values()) {
      frame.addMessages(ClientMessage.newBuilder().setAsk(ask));
    }
    gathered.clear();
    ranksWaiting = 0;
  }

  private void flush() {
    closeAsks();
    if (frame.getMessagesCount() > 0) {
      ClientFrame full = frame.build();
      frame = ClientFrame.newBuilder();
      upward().send(full);
    }
  }

  private Upward upward() {
    Upward open = up;
    if (open == null) {
      open = new Upward();
      up = open;
      HandshakeGrpc.newStub(upstream).session(open);
    }
    return open;
  }

  private void add(ClientMessage.Builder message) {
    frame.addMessages(message);
  }

  private void upwardGone() {
    up = null;
    groups.clear();
    programs.clear();
    gathered.clear();
    ranksWaiting = 0;
    frame = ClientFrame.newBuilder();
    speakers.clear();
    for (Session session : sessions) {
      session.end(Status.UNAVAILABLE.withDescription("the coordinator cannot be reached"));
    }
    sessions.clear();
  }

  /** The stream of one rank, or of an aggregator below this one. */
  private final class Session implements StreamObserver<ClientFrame> {
    private final ServerCallStreamObserver<CoordinatorFrame> replies;
    private final List<Integer> upGroups = new ArrayList<>();
    private final List<Integer> upPrograms = new ArrayList<>();
    private boolean ended;

    Session(ServerCallStreamObserver<CoordinatorFrame> replies) {
      this.replies = replies;
      replies.setOnCancelHandler(this::gone);
    }

    void send(CoordinatorFrame received) {
      if (!ended) {
        try {
          replies.onNext(received);
        } catch (RuntimeException cancelled) {
          ended = true;
        }
      }
    }

    void end(Status why) {
      if (!ended) {
        ended = true;
        replies.onError(why.asException());
      }
    }

    @Override
    public void onNext(ClientFrame received) {
      synchronized (lock) {
        if (ended) {
          return;
        }
        boolean urgent = false;
        try {
          for (ClientMessage message : received.getMessagesList()) {
            urgent |= take(message);
          }
        } catch (IllegalArgumentException | IndexOutOfBoundsException senseless) {
          end(Status.INVALID_ARGUMENT.withDescription(senseless.getMessage()));
          gone();
          return;
        }
        if (urgent || ranksWaiting >= speakers.size()) {
          flush();
        } else if (ranksWaiting > 0 || frame.getMessagesCount() > 0) {
          flushLater();
        }
      }
    }

    /** Takes a message in; returns whether it cannot wait for others. */
    private boolean take(ClientMessage message) {
      switch (message.getMessageCase()) {
        case HELLO -> {
          closeAsks();
          speakers.put(message.getHello().getRank(), this);
          add(message.toBuilder());
          return true;
        }
        case DEFINE_GROUP -> {
          RankList group = Wire.ranks(message.getDefineGroup());
          Integer known = groups.get(group);
          if (known == null) {
            known = groups.size();
            groups.put(group, known);
            add(ClientMessage.newBuilder().setDefineGroup(Wire.group(known, group)));
          }
          upGroups.add(known);
        }
        case DEFINE_PROGRAM -> {
          ProgramSummary program = Wire.program(message.getDefineProgram());
          Integer known = programs.get(program);
          if (known == null) {
            known = programs.size();
            programs.put(program, known);
            add(
                ClientMessage.newBuilder()
                    .setDefineProgram(
                        Wire.program(known, program, message.getDefineProgram().getName())));
          }
          upPrograms.add(known);
        }
        case ASK -> gather(message.getAsk());
        case ALIVE -> add(message.toBuilder());
        case LEAVE, LOST -> {
          closeAsks();
          add(message.toBuilder());
          return true;
        }
        case MESSAGE_NOT_SET -> throw new IllegalArgumentException("a message is empty");
      }
      return false;
    }

    private void gather(Ask ask) {
      Ask.Builder translated = ask.toBuilder().clearRanks();
      translated.setProgram(upPrograms.get(ask.getProgram()));
      for (int use = 0; use < ask.getUsesCount(); use++) {
        translated.setUses(
            use, ask.getUses(use).toBuilder().setGroup(upGroups.get(ask.getUses(use).getGroup())));
      }
      Ask key = translated.build();
      Ask.Builder together = gathered.computeIfAbsent(key, Ask::toBuilder);
      together.addAllRanks(ask.getRanksList());
      ranksWaiting += ask.getRanksCount();
    }

    @Override
    public void onError(Throwable cause) {
      gone();
    }

    @Override
    public void onCompleted() {
      gone();
      synchronized (lock) {
        if (!ended) {
          ended = true;
          replies.onCompleted();
        }
      }
    }

    private void gone() {
      synchronized (lock) {
        sessions.remove(this);
        List<Integer> lost = new ArrayList<>();
        speakers.forEach(
            (rank, session) -> {
              if (session == this) {
                lost.add(rank);
              }
            });
        closeAsks();
        for (int rank : lost) {
          speakers.remove(rank);
          add(ClientMessage.newBuilder().setLost(Lost.newBuilder().setRank(rank)));
        }
        if (up != null) {
          flush();
        } else {
          frame = ClientFrame.newBuilder();
        }
      }
    }
  }

  /** The stream to the coordinator. */
  private final class Upward extends SessionCall {
    @Override
    public void onNext(CoordinatorFrame received) {
      synchronized (lock) {
        if (up != this) {
          return;
        }
        Map<Session, CoordinatorFrame.Builder> out = new LinkedHashMap<>();
        for (CoordinatorMessage message : received.getMessagesList()) {
          hand(message, out);
        }
        out.forEach((session, built) -> session.send(built.build()));
      }
    }

    private void hand(CoordinatorMessage message, Map<Session, CoordinatorFrame.Builder> out) {
      switch (message.getMessageCase()) {
        case ANSWER -> answer(message.getAnswer(), out);
        case WELCOME -> to(message.getWelcome().getRank(), message, out);
        case REFUSE -> to(message.getRefuse().getRank(), message, out);
        case NOTICE -> to(message.getNotice().getRank(), message, out);
        case HEARD -> to(message.getHeard().getRank(), message, out);
        case MESSAGE_NOT_SET -> {
          // Of a later version of the protocol.
        }
      }
    }

    private void answer(Answer answer, Map<Session, CoordinatorFrame.Builder> out) {
      Map<Session, Answer.Builder> parts = new LinkedHashMap<>();
      for (int rank : answer.getRanksList()) {
        Session session = speakers.get(rank);
        if (session != null) {
          parts.computeIfAbsent(session, unused -> answer.toBuilder().clearRanks()).addRanks(rank);
        }
      }
      parts.forEach(
          (session, part) ->
              out.computeIfAbsent(session, unused -> CoordinatorFrame.newBuilder())
                  .addMessages(CoordinatorMessage.newBuilder().setAnswer(part)));
    }

    private void to(
        int rank, CoordinatorMessage message, Map<Session, CoordinatorFrame.Builder> out) {
      Session session = speakers.get(rank);
      if (session != null) {
        out.computeIfAbsent(session, unused -> CoordinatorFrame.newBuilder()).addMessages(message);
      }
    }

    @Override
    void gone() {
      synchronized (lock) {
        if (up == this) {
          upwardGone();
        }
      }
    }
  }
}
