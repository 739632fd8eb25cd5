package dev.lockstep.handshake.grpc;

import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.handshake.coordinator.Coordinator;
import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.coordinator.CoordinatorOptions;
import dev.lockstep.handshake.coordinator.JobStatus;
import dev.lockstep.handshake.coordinator.Link;
import dev.lockstep.handshake.protocol.Ask;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.stream.Replies;
import dev.lockstep.handshake.wire.ClientFrame;
import dev.lockstep.handshake.wire.ClientMessage;
import dev.lockstep.handshake.wire.CoordinatorFrame;
import dev.lockstep.handshake.wire.HandshakeGrpc;
import dev.lockstep.handshake.wire.OpenRound;
import dev.lockstep.handshake.wire.StatusReply;
import dev.lockstep.handshake.wire.StatusRequest;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The coordinator behind gRPC: one lock around the state machine, which never blocks, so that it
 * may run on the threads of the event loop.
 */
final class CoordinatorService extends HandshakeGrpc.HandshakeImplBase {
  /** A stream that does not take its frames is closed when so many wait. */
  static final int MOST_WAITING_FRAMES = 4096;

  private final Object lock = new Object();
  private final CoordinatorOptions options;
  private final FrameWriter frames = new FrameWriter();
  private final Coordinator coordinator;
  private final Protection protection;
  private final Doorkeeper doors;
  private final CoordinatorListener listener;

  private long tickedAt = System.nanoTime();

  /** Streams on which no rank speaks, and since when. */
  private final Map<Session, Long> strangers = new LinkedHashMap<>();

  CoordinatorService(
      CoordinatorOptions options,
      Protection protection,
      Doorkeeper doors,
      CoordinatorListener listener) {
    this.options = options;
    this.protection = protection;
    this.doors = doors;
    this.listener = listener;
    this.coordinator = new Coordinator(options, frames, listener);
  }

  @Override
  public StreamObserver<ClientFrame> session(StreamObserver<CoordinatorFrame> replies) {
    return new Session((ServerCallStreamObserver<CoordinatorFrame>) replies);
  }

  @Override
  public void status(StatusRequest request, StreamObserver<StatusReply> reply) {
    if (!MessageDigest.isEqual(
        request.getToken().getBytes(StandardCharsets.UTF_8),
        options.token().getBytes(StandardCharsets.UTF_8))) {
      reply.onError(
          Status.UNAUTHENTICATED.withDescription("the token is not this job's").asException());
      return;
    }
    JobStatus status;
    synchronized (lock) {
      status = coordinator.status(System.nanoTime());
    }
    reply.onNext(wire(status));
    reply.onCompleted();
  }

  /** Lets time pass; to be called often. */
  void tick() {
    synchronized (lock) {
      long now = System.nanoTime();
      if (now - tickedAt > Loops.OVERSLEPT_NANOS) {
        coordinator.slept(now - tickedAt);
      }
      tickedAt = now;
      coordinator.tick(now);
      frames.flush();
      strangers
          .entrySet()
          .removeIf(
              entry -> {
                boolean over = now - entry.getValue() > protection.greeting().toNanos();
                if (over) {
                  entry
                      .getKey()
                      .end(Status.DEADLINE_EXCEEDED.withDescription("no rank has said hello"));
                }
                return over;
              });
    }
  }

  private static StatusReply wire(JobStatus status) {
    StatusReply.Builder wire =
        StatusReply.newBuilder()
            .setJob(status.job())
            .setWorld(status.world())
            .setEpoch(status.epoch())
            .setConnected(status.connected());
    status.lost().forEach(wire::addLost);
    status.missing().forEach(wire::addMissing);
    for (JobStatus.OpenRound round : status.rounds()) {
      OpenRound.Builder part =
          OpenRound.newBuilder()
              .setId(round.id())
              .setWaitedMillis(round.waitedMillis())
              .setLeftMillis(round.leftMillis());
      round.participants().ranks().forEach(part::addParticipants);
      ImmutableIntArray absent = round.absent();
      absent.forEach(part::addAbsent);
      wire.addRounds(part);
    }
    return wire.build();
  }

  /** One stream. */
  private final class Session implements StreamObserver<ClientFrame> {
    private final ServerCallStreamObserver<CoordinatorFrame> stream;
    private final Replies<CoordinatorFrame> replies;
    private final Peer peer;
    private final Link link;
    private boolean speaking;
    private int waitingFrames;

    Session(ServerCallStreamObserver<CoordinatorFrame> stream) {
      this.stream = stream;
      this.replies = new Replies<>(stream);
      this.peer = Peer.current();
      synchronized (lock) {
        link = coordinator.connected(peer.toString());
        frames.open(link, this::send);
        strangers.put(this, System.nanoTime());
      }
      // Frames are handled where they are read: asking for one at a time would slow nobody down.
      stream.disableAutoRequest();
      stream.request(Integer.MAX_VALUE);
      stream.setOnReadyHandler(
          () -> {
            synchronized (lock) {
              waitingFrames = 0;
            }
          });
      stream.setOnCancelHandler(() -> gone());
    }

    private void send(CoordinatorFrame frame) {
      if (replies.ended()) {
        return;
      }
      waitingFrames = stream.isReady() ? 0 : waitingFrames + 1;
      if (waitingFrames > MOST_WAITING_FRAMES) {
        end(Status.RESOURCE_EXHAUSTED.withDescription("the peer does not read what it is sent"));
        return;
      }
      replies.send(frame);
    }

    private void end(Status why) {
      replies.end(why);
    }

    @Override
    public void onNext(ClientFrame frame) {
      synchronized (lock) {
        long now = System.nanoTime();
        try {
          for (ClientMessage message : frame.getMessagesList()) {
            take(message, now);
          }
        } catch (IllegalArgumentException senseless) {
          coordinator.malformed(
              link, Objects.requireNonNullElse(senseless.getMessage(), "senseless message"), now);
          frames.flush();
          end(Status.INVALID_ARGUMENT.withDescription(senseless.getMessage()));
          return;
        }
        frames.flush();
        if (speaking != link.speaks()) {
          speaking = !speaking;
          if (speaking) {
            strangers.remove(this);
            doors.admit(peer.address());
          } else {
            strangers.put(this, now);
          }
        }
      }
    }

    private void hello(Hello hello, long now) {
      String foreign = peer.refusal(options.job(), hello.rank(), protection.boundRanks());
      if (foreign.isEmpty()) {
        coordinator.hello(link, hello, now);
      } else {
        Refusal refusal = new Refusal(Refusal.Code.WRONG_CERTIFICATE, foreign);
        listener.refused(link.name(), hello.rank(), refusal);
        frames.refuse(link, hello.rank(), hello.incarnation(), refusal);
      }
    }

    private void take(ClientMessage message, long now) {
      switch (message.getMessageCase()) {
        case ASK -> {
          Ask ask = Wire.ask(message.getAsk());
          int ranks = message.getAsk().getRanksCount();
          if (ranks == 0) {
            int rank = link.soleRank();
            frames.sole(link);
            coordinator.ask(link, rank, ask, now);
          }
          for (int i = 0; i < ranks; i++) {
            coordinator.ask(link, message.getAsk().getRanks(i), ask, now);
          }
        }
        case ALIVE ->
            coordinator.alive(
                link,
                message.getAlive().getRank(),
                message.getAlive().getProgress(),
                message.getAlive().getDoing(),
                now);
        case HELLO -> hello(Wire.hello(message.getHello()), now);
        case DEFINE_GROUP ->
            coordinator.defineGroup(
                link, message.getDefineGroup().getNumber(), Wire.ranks(message.getDefineGroup()));
        case DEFINE_PROGRAM ->
            coordinator.defineProgram(
                link,
                message.getDefineProgram().getNumber(),
                Wire.program(message.getDefineProgram()),
                message.getDefineProgram().getName());
        case LEAVE -> coordinator.leave(link, message.getLeave().getRank(), now);
        case LOST -> coordinator.lost(link, message.getLost().getRank(), now);
        case MESSAGE_NOT_SET -> throw new IllegalArgumentException("a message is empty");
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
        replies.complete();
      }
    }

    private void gone() {
      synchronized (lock) {
        strangers.remove(this);
        frames.close(link);
        coordinator.disconnected(link, System.nanoTime());
        frames.flush();
      }
    }
  }
}
