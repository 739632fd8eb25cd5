package dev.lockstep.handshake.client;

import dev.lockstep.handshake.protocol.Ask;
import dev.lockstep.handshake.protocol.Reason;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import org.jspecify.annotations.Nullable;

/** A rank's latest requests, by their numbers, which follow each other without gaps. */
final class SentRequests {
  private @Nullable Request[] ring = new @Nullable Request[16];
  private long first;
  private int size;

  /** A request, and its verdict once it is known. */
  static final class Request {
    final Ask ask;
    final KnownProgram program;
    @Nullable Verdict verdict;

    /** Whether it was sent on the present connection, and is to be answered there. */
    boolean asked;

    Request(Ask ask, KnownProgram program) {
      this.ask = ask;
      this.program = program;
    }

    boolean waits() {
      return ask.mode() == Ask.Mode.ASK && verdict == null;
    }

    /** Returns what to send on a new connection. */
    Ask again() {
      return ask.mode() == Ask.Mode.ASK && verdict != null
          ? new Ask(ask.sequence(), Ask.Mode.REPEAT, ask.program(), ask.uses(), verdict)
          : ask;
    }
  }

  /** A program with what need not be found out again for every request. */
  static final class KnownProgram {
    final Program program;
    final int number;

    /** For each of the program's groups, its number on the connection. */
    final int[] groups;

    /** For each of the program's groups, how many collectives are on it. */
    final int[] calls;

    /** The last verdict that allowed the program, or null. */
    @Nullable Verdict agreed;

    KnownProgram(Program program, int number, int[] groups) {
      this.program = program;
      this.number = number;
      this.groups = groups;
      this.calls = program.callsByGroup();
    }

    /** Returns the verdict on a program that nobody need be asked about. */
    static Verdict locally(Program program) {
      return program.summary().positions() == 0
          ? Verdict.of(VerdictKind.FAT, Reason.SAME_PROGRAM, 0, "the program holds no collective")
          : Verdict.of(
              VerdictKind.SKINNY,
              Reason.PROGRAMS_DIFFER,
              0,
              "the stage is OFF: nothing is compared");
    }
  }

  /** The number of the oldest request that is kept, or of the next one if none is. */
  long first() {
    return first;
  }

  /** The number of the next request. */
  long end() {
    return first + size;
  }

  int size() {
    return size;
  }

  /** Returns a request, or null if it is not kept. */
  @Nullable Request get(long sequence) {
    return sequence < first || sequence >= end() ? null : ring[slot(sequence)];
  }

  /** Adds the request that is numbered {@link #end}. */
  void add(Request request) {
    if (size == ring.length) {
      @Nullable Request[] larger = new @Nullable Request[2 * size];
      for (long sequence = first; sequence < end(); sequence++) {
        larger[(int) (sequence & (larger.length - 1))] = ring[slot(sequence)];
      }
      ring = larger;
    }
    ring[slot(end())] = request;
    size++;
  }

  void removeFirst() {
    ring[slot(first)] = null;
    first++;
    size--;
  }

  private int slot(long sequence) {
    return (int) (sequence & (ring.length - 1));
  }
}
