package dev.lockstep.handshake.grpc;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.stream.Replies;
import dev.lockstep.handshake.wire.Ask;
import dev.lockstep.handshake.wire.ClientFrame;
import dev.lockstep.handshake.wire.ClientMessage;
import dev.lockstep.handshake.wire.CoordinatorFrame;
import dev.lockstep.handshake.wire.CoordinatorMessage;
import dev.lockstep.handshake.wire.Hello;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One stream that an aggregator serves: of a rank, or of an aggregator below it. It is heard for
 * the ranks that were welcomed on it.
 *
 * <p>Used under the aggregator's lock only, but for what gRPC calls.
 */
final class AggregatorSession implements StreamObserver<ClientFrame> {
  private static final int LARGEST_DEFINITIONS = 32 << 20;
  private static final int MOST_DEFINITIONS = 1 << 16;

  private final Aggregator aggregator;
  private final Replies<CoordinatorFrame> replies;
  private final BooleanSupplier ready;
  final OutgoingFrame outgoing;
  private final List<Integer> upGroups = new ArrayList<>();
  private final List<Integer> upPrograms = new ArrayList<>();
  private final Peer peer;
  private final long openedAt = System.nanoTime();

  /** What came while a hello of this stream was not answered. */
  private final List<ClientMessage> held = new ArrayList<>();

  private long heldBytes;
  private long weight;
  private int greetings;
  private int welcomed;
  private int world;

  /** The rank that said hello last. */
  private int rank = -1;

  /** Whether a group or a program has another number upwards than on this stream. */
  private boolean renumbers;

  private int waitingFrames;

  /**
   * A session that has begun.
   *
   * @param ready whether what was sent is on its way, so that there is room for more
   */
  AggregatorSession(
      Aggregator aggregator,
      Peer peer,
      StreamObserver<CoordinatorFrame> replies,
      BooleanSupplier ready) {
    this.aggregator = aggregator;
    this.peer = peer;
    this.replies = new Replies<>(replies);
    this.ready = ready;
    this.outgoing = new OutgoingFrame(this::send, aggregator.dirty);
  }

  boolean overdue(long now) {
    return welcomed == 0
        && peer != Peer.SELF
        && now - openedAt > aggregator.protection.greeting().toNanos();
  }

  void send(CoordinatorFrame received) {
    waitingFrames = ready.getAsBoolean() ? 0 : waitingFrames + 1;
    if (waitingFrames > CoordinatorService.MOST_WAITING_FRAMES) {
      end(Status.RESOURCE_EXHAUSTED.withDescription("the peer does not read what it is sent"));
      return;
    }
    replies.send(received);
  }

  void end(Status why) {
    replies.end(why);
  }

  boolean ended() {
    return replies.ended();
  }

  @Override
  public void onNext(ClientFrame received) {
    synchronized (aggregator.lock) {
      if (ended()) {
        return;
      }
      boolean urgent = false;
      try {
        for (ClientMessage message : received.getMessagesList()) {
          if (message.hasHello() || greetings == 0 && held.isEmpty()) {
            urgent |= take(message);
          } else {
            hold(message);
          }
        }
      } catch (IllegalArgumentException | IndexOutOfBoundsException senseless) {
        senseless(senseless);
        return;
      }
      aggregator.flush(urgent);
    }
  }

  private void senseless(RuntimeException why) {
    aggregator.listener.dropped(peer.toString(), String.valueOf(why.getMessage()));
    end(Status.INVALID_ARGUMENT.withDescription(why.getMessage()));
    gone();
  }

  private void hold(ClientMessage message) {
    heldBytes += message.getSerializedSize();
    if (heldBytes > CoordinatorServer.LARGEST_MESSAGE) {
      throw new IllegalArgumentException("too much was sent before a rank was let in");
    }
    held.add(message);
  }

  /** A hello of this stream was answered: what waited for that is heard, or dropped. */
  boolean greeted(boolean welcome) {
    greetings--;
    if (welcome) {
      welcomed++;
      aggregator.doors.admit(peer.address());
    }
    if (greetings > 0 || ended()) {
      return false;
    }
    List<ClientMessage> waiting = ImmutableList.copyOf(held);
    held.clear();
    heldBytes = 0;
    if (welcomed == 0) {
      return false;
    }
    boolean urgent = false;
    try {
      for (ClientMessage message : waiting) {
        urgent |= take(message);
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException senseless) {
      senseless(senseless);
    }
    return urgent;
  }

  private boolean mine(int rank) {
    boolean mine = aggregator.speakers.speaks(rank, this);
    if (!mine) {
      aggregator.listener.dropped(
          peer.toString(), "rank " + rank + " does not speak on this connection");
    }
    return mine;
  }

  private boolean hello(Hello hello) {
    String foreign =
        peer.refusal(hello.getJob(), hello.getRank(), aggregator.protection.boundRanks());
    if (!foreign.isEmpty()) {
      Refusal refusal = new Refusal(Refusal.Code.WRONG_CERTIFICATE, foreign);
      aggregator.listener.refused(peer.toString(), hello.getRank(), refusal);
      CoordinatorMessage.Builder refuse =
          CoordinatorMessage.newBuilder()
              .setRefuse(Wire.refuse(hello.getRank(), hello.getIncarnation(), refusal));
      send(CoordinatorFrame.newBuilder().addMessages(refuse).build());
      return false;
    }
    if (outgoing.speaksForOne() && rank != hello.getRank()) {
      throw new IllegalArgumentException("requests name no rank, and two ranks say hello");
    }
    rank = hello.getRank();
    aggregator.speakers.greet(hello.getRank(), hello.getIncarnation(), this);
    greetings++;
    world = hello.getWorld();
    return true;
  }

  /** A stream may define as much as a connection of its own to the coordinator might. */
  private void weigh(ClientMessage message) {
    weight += message.getSerializedSize();
    if (welcomed == 0
        || weight > (long) LARGEST_DEFINITIONS * welcomed
        || upGroups.size() + upPrograms.size() >= MOST_DEFINITIONS) {
      throw new IllegalArgumentException(
          welcomed == 0
              ? "a definition came before a rank was let in"
              : "the definitions of this connection take too much room");
    }
  }

  /** Takes a message in; returns whether it cannot wait for others. */
  private boolean take(ClientMessage message) {
    switch (message.getMessageCase()) {
      case HELLO -> {
        if (hello(message.getHello())) {
          aggregator.gathering.addLast(message.toBuilder());
          return true;
        }
      }
      case DEFINE_GROUP -> {
        weigh(message);
        RankList group = Wire.ranks(message.getDefineGroup());
        if (group.get(group.size() - 1) >= world) {
          throw new IllegalArgumentException("group " + group + " is not of this job");
        }
        int number = aggregator.gathering.group(group);
        renumbers |= number != upGroups.size();
        upGroups.add(number);
      }
      case DEFINE_PROGRAM -> {
        weigh(message);
        ProgramSummary program = Wire.program(message.getDefineProgram());
        int number = aggregator.gathering.program(program, message.getDefineProgram().getName());
        renumbers |= number != upPrograms.size();
        upPrograms.add(number);
      }
      case ASK -> gather(message.getAsk());
      case ALIVE -> {
        if (mine(message.getAlive().getRank())) {
          aggregator.gathering.add(message.toBuilder());
        }
      }
      case LEAVE -> {
        if (mine(message.getLeave().getRank())) {
          aggregator.speakers.left(message.getLeave().getRank());
          aggregator.gathering.addLast(message.toBuilder());
          return true;
        }
      }
      case LOST -> {
        if (mine(message.getLost().getRank())) {
          aggregator.speakers.left(message.getLost().getRank());
          aggregator.gathering.addLast(message.toBuilder());
          return true;
        }
      }
      case MESSAGE_NOT_SET -> throw new IllegalArgumentException("a message is empty");
    }
    return false;
  }

  private void gather(Ask ask) {
    if (ask.getRanksCount() == 0) {
      outgoing.speakForOne();
      if (mine(rank)) {
        aggregator.gathering.ask(translated(ask), rank);
      }
      return;
    }
    List<Integer> ranks = ask.getRanksList();
    if (!ranks.stream().allMatch(one -> aggregator.speakers.speaks(one, this))) {
      ranks = ranks.stream().filter(this::mine).toList();
      if (ranks.isEmpty()) {
        // Without ranks it would be a request of the only rank of the stream upwards.
        return;
      }
    }
    aggregator.gathering.ask(translated(ask), ranks);
  }

  /** Returns a request that makes sense without its ranks, in the numbers of the stream upwards. */
  private Ask translated(Ask ask) {
    boolean defined = ask.getProgram() >= 0 && ask.getProgram() < upPrograms.size();
    for (int use = 0; use < ask.getUsesCount(); use++) {
      int group = ask.getUses(use).getGroup();
      defined &= group >= 0 && group < upGroups.size();
    }
    if (!defined) {
      throw new IllegalArgumentException("a request names what was not defined");
    }
    if (!renumbers && aggregator.gathering.has(ask)) {
      return ask;
    }
    // The coordinator would turn the whole host away for a request that makes no sense.
    Wire.ask(ask);
    if (!renumbers && ask.getRanksCount() == 0) {
      return ask;
    }
    Ask.Builder translated = ask.toBuilder().clearRanks();
    translated.setProgram(upPrograms.get(ask.getProgram()));
    for (int use = 0; use < ask.getUsesCount(); use++) {
      translated.setUses(
          use, ask.getUses(use).toBuilder().setGroup(upGroups.get(ask.getUses(use).getGroup())));
    }
    return translated.build();
  }

  @Override
  public void onError(Throwable cause) {
    gone();
  }

  @Override
  public void onCompleted() {
    gone();
    synchronized (aggregator.lock) {
      replies.complete();
    }
  }

  /** The stream has ended. */
  void gone() {
    synchronized (aggregator.lock) {
      aggregator.gone(this);
    }
  }
}
