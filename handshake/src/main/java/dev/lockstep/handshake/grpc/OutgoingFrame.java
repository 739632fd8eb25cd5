package dev.lockstep.handshake.grpc;

import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.wire.Answer;
import dev.lockstep.handshake.wire.CoordinatorFrame;
import dev.lockstep.handshake.wire.CoordinatorMessage;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is said on one stream while one event is handled, sent as one frame. */
final class OutgoingFrame {
  private final Consumer<CoordinatorFrame> sender;

  /** Those that have something to send; this one is among them exactly while it has. */
  private final List<OutgoingFrame> dirty;

  private boolean isDirty;
  private boolean sole;

  /** A frame that holds all there is to say so far, and that is sent to others too. */
  private @Nullable CoordinatorFrame shared;

  private CoordinatorFrame.Builder frame = CoordinatorFrame.newBuilder();
  private Answer.@Nullable Builder answers;
  private @Nullable Verdict verdict;
  private long sequence;

  OutgoingFrame(Consumer<CoordinatorFrame> sender, List<OutgoingFrame> dirty) {
    this.sender = sender;
    this.dirty = dirty;
  }

  /** Requests on the stream name no rank: answers need not name one either. */
  void speakForOne() {
    sole = true;
  }

  /** Whether answers on the stream name no rank. */
  boolean speaksForOne() {
    return sole;
  }

  /** Adds a message. */
  void add(CoordinatorMessage.Builder message) {
    open().addMessages(message);
  }

  /** Adds the messages of a frame that others are sent too. */
  void share(CoordinatorFrame messages) {
    if (isDirty) {
      open().addAllMessages(messages.getMessagesList());
    } else {
      markDirty();
      shared = messages;
    }
  }

  /**
   * Adds an answer to a rank; equal answers that follow each other are one message.
   *
   * @param wire the verdict's form
   */
  void answer(int rank, long number, Verdict answer, dev.lockstep.handshake.wire.Verdict wire) {
    if (answers == null || verdict != answer || sequence != number) {
      open();
      verdict = answer;
      sequence = number;
      answers = Answer.newBuilder().setSequence(number).setVerdict(wire);
    }
    answers.addRanks(rank);
  }

  /** Sends what was gathered. */
  void send() {
    CoordinatorFrame all = shared;
    if (all == null) {
      all = open().build();
      frame = CoordinatorFrame.newBuilder();
    }
    shared = null;
    isDirty = false;
    sender.accept(all);
  }

  /** Returns the frame, to add a message after those that there are. */
  private CoordinatorFrame.Builder open() {
    markDirty();
    if (answers != null) {
      frame.addMessages(CoordinatorMessage.newBuilder().setAnswer(answers));
      answers = null;
    }
    if (shared != null) {
      frame.addAllMessages(shared.getMessagesList());
      shared = null;
    }
    return frame;
  }

  private void markDirty() {
    if (!isDirty) {
      isDirty = true;
      dirty.add(this);
    }
  }
}
