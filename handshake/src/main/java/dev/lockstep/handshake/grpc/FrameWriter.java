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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what the coordinator says while it handles one event into one frame a stream, with equal
 * answers to the ranks of an aggregator as one.
 *
 * <p>Used under the coordinator's lock only.
 */
final class FrameWriter implements CoordinatorOutput {
  private final Map<Link, OutgoingFrame> links = new HashMap<>();
  private final List<OutgoingFrame> dirty = new ArrayList<>();
  private @Nullable Verdict lastVerdict;
  private dev.lockstep.handshake.wire.@Nullable Verdict lastWire;
  private @Nullable CoordinatorFrame lastSole;
  private long lastSequence;

  void open(Link link, Consumer<CoordinatorFrame> sender) {
    links.put(link, new OutgoingFrame(sender, dirty));
  }

  void close(Link link) {
    OutgoingFrame gone = links.remove(link);
    if (gone != null) {
      dirty.remove(gone);
    }
  }

  /** The stream speaks for one rank and does not name it. */
  void sole(Link link) {
    OutgoingFrame outgoing = links.get(link);
    if (outgoing != null) {
      outgoing.speakForOne();
    }
  }

  /** Sends what was gathered. */
  void flush() {
    dirty.forEach(OutgoingFrame::send);
    dirty.clear();
  }

  private void add(Link link, CoordinatorMessage.Builder message) {
    OutgoingFrame outgoing = links.get(link);
    if (outgoing != null) {
      outgoing.add(message);
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
    OutgoingFrame outgoing = links.get(link);
    if (outgoing == null) {
      return;
    }
    if (outgoing.speaksForOne()) {
      outgoing.share(sole(sequence, verdict));
    } else {
      outgoing.answer(rank, sequence, verdict, wire(verdict));
    }
  }

  /** Returns the frame of one answer that names no rank; all ranks of a round share it. */
  private CoordinatorFrame sole(long sequence, Verdict verdict) {
    CoordinatorFrame last = lastSole;
    if (last == null || lastVerdict != verdict || lastSequence != sequence) {
      last =
          CoordinatorFrame.newBuilder()
              .addMessages(
                  CoordinatorMessage.newBuilder()
                      .setAnswer(
                          Answer.newBuilder().setSequence(sequence).setVerdict(wire(verdict))))
              .build();
      lastSole = last;
      lastSequence = sequence;
    }
    return last;
  }

  @Override
  public void heard(Link link, int rank, long nextSequence) {
    add(
        link,
        CoordinatorMessage.newBuilder()
            .setHeard(Heard.newBuilder().setRank(rank).setNextSequence(nextSequence)));
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
      lastSole = null;
    }
    return known;
  }
}
