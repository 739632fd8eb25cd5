package dev.lockstep.handshake.grpc;

import dev.lockstep.handshake.coordinator.CoordinatorOutput;
import dev.lockstep.handshake.coordinator.Link;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.wire.Answer;
import dev.lockstep.handshake.wire.CoordinatorFrame;
import dev.lockstep.handshake.wire.CoordinatorMessage;
import dev.lockstep.handshake.wire.Heard;
import dev.lockstep.handshake.wire.Notice;
import dev.lockstep.handshake.wire.Welcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what the coordinator says while it handles one event into one frame a stream, with equal
 * answers to the ranks of an aggregator as one.
 *
 * <p>Used under the coordinator's lock only.
 */
final class FrameWriter implements CoordinatorOutput {
  private final Map<Link, Outgoing> links = new HashMap<>();
  private final List<Outgoing> dirty = new ArrayList<>();
  private @Nullable Verdict lastVerdict;
  private dev.lockstep.handshake.wire.@Nullable Verdict lastWire;

  /** Where the frames of a link go. */
  interface Sender {
    void send(CoordinatorFrame frame);
  }

  private static final class Outgoing {
    final Sender sender;
    CoordinatorFrame.Builder frame = CoordinatorFrame.newBuilder();
    Answer.@Nullable Builder answers;
    @Nullable Verdict verdict;
    long sequence;

    Outgoing(Sender sender) {
      this.sender = sender;
    }

    void closeAnswers() {
      if (answers != null) {
        frame.addMessages(CoordinatorMessage.newBuilder().setAnswer(answers));
        answers = null;
      }
    }
  }

  void open(Link link, Sender sender) {
    links.put(link, new Outgoing(sender));
  }

  void close(Link link) {
    Outgoing gone = links.remove(link);
    if (gone != null) {
      dirty.remove(gone);
    }
  }

  /** Sends what was gathered. */
  void flush() {
    for (Outgoing outgoing : dirty) {
      outgoing.closeAnswers();
      CoordinatorFrame frame = outgoing.frame.build();
      outgoing.frame = CoordinatorFrame.newBuilder();
      outgoing.sender.send(frame);
    }
    dirty.clear();
  }

  private @Nullable Outgoing to(Link link) {
    Outgoing outgoing = links.get(link);
    if (outgoing != null && outgoing.answers == null && outgoing.frame.getMessagesCount() == 0) {
      dirty.add(outgoing);
    }
    return outgoing;
  }

  private void add(Link link, CoordinatorMessage.Builder message) {
    Outgoing outgoing = to(link);
    if (outgoing != null) {
      outgoing.closeAnswers();
      outgoing.frame.addMessages(message);
    }
  }

  @Override
  public void welcome(Link link, Hello hello, long nextSequence) {
    Welcome.Builder welcome =
        Welcome.newBuilder()
            .setRank(hello.rank())
            .setEpoch(hello.epoch())
            .setIncarnation(hello.incarnation());
    if (nextSequence >= 0) {
      welcome.setNextSequence(nextSequence);
    }
    add(link, CoordinatorMessage.newBuilder().setWelcome(welcome));
  }

  @Override
  public void refuse(Link link, int rank, long incarnation, Refusal refusal) {
    add(link, CoordinatorMessage.newBuilder().setRefuse(Wire.refuse(rank, incarnation, refusal)));
  }

  @Override
  public void answer(Link link, int rank, long sequence, Verdict verdict) {
    Outgoing outgoing = to(link);
    if (outgoing == null) {
      return;
    }
    if (outgoing.answers != null && outgoing.verdict == verdict && outgoing.sequence == sequence) {
      outgoing.answers.addRanks(rank);
      return;
    }
    outgoing.closeAnswers();
    outgoing.verdict = verdict;
    outgoing.sequence = sequence;
    outgoing.answers =
        Answer.newBuilder().addRanks(rank).setSequence(sequence).setVerdict(wire(verdict));
  }

  @Override
  public void heard(Link link, int rank) {
    add(link, CoordinatorMessage.newBuilder().setHeard(Heard.newBuilder().setRank(rank)));
  }

  @Override
  public void notice(Link link, int rank, Verdict verdict) {
    add(
        link,
        CoordinatorMessage.newBuilder()
            .setNotice(Notice.newBuilder().setRank(rank).setVerdict(wire(verdict))));
  }

  /** The ranks of a round all get the same verdict: it is put into its form once. */
  private dev.lockstep.handshake.wire.Verdict wire(Verdict verdict) {
    dev.lockstep.handshake.wire.Verdict known = lastWire;
    if (known == null || lastVerdict != verdict) {
      known = Wire.verdict(verdict);
      lastVerdict = verdict;
      lastWire = known;
    }
    return known;
  }
}
