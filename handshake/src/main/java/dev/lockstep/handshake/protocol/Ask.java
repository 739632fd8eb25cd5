package dev.lockstep.handshake.protocol;

import com.google.common.collect.ImmutableList;
import org.jspecify.annotations.Nullable;

/**
 * One rank's word that it is about to run a program.
 *
 * <p>{@link #uses}{@code [0]} is the participants as a group: all ranks that the program's text
 * names, counted in collectives of the program whichever group they are on. All participants of one
 * program have the same count there, so that positions compare even between ranks that share no
 * group. The others are the rank's own groups; one that is equal to the participants is left out.
 *
 * @param sequence this rank's asks are numbered from 0 without gaps
 * @param mode whether an answer is wanted
 * @param program the program, as its number in the connection's table of programs. A collective
 *     outside of any program (eager) is a program of one collective
 * @param uses the participants, then the rank's own groups
 * @param settled what the rank does already; null exactly for {@code ASK}
 */
public record Ask(
    long sequence,
    Mode mode,
    int program,
    ImmutableList<GroupUse> uses,
    @Nullable Verdict settled) {

  /** Whether an answer is wanted. */
  public enum Mode {
    /** A verdict is wanted. */
    ASK,
    /**
     * None is wanted: the rank runs what the verdict of an earlier round allows, and says so, so
     * that its collectives are counted.
     */
    NOTE,
    /**
     * None is wanted: after a new connection the rank repeats what this very round was answered on
     * an old one, since the coordinator may be a new one.
     */
    REPEAT
  }

  /** Checks that there are participants and that the mode and the verdict fit. */
  public Ask {
    if (uses.isEmpty()) {
      throw new IllegalArgumentException("a request names no process group");
    }
    if ((mode == Mode.ASK) != (settled == null)) {
      throw new IllegalArgumentException(
          "a settled request needs its verdict, an open one has none");
    }
  }

  /** Returns an open request. */
  public static Ask open(long sequence, int program, ImmutableList<GroupUse> uses) {
    return new Ask(sequence, Mode.ASK, program, uses, null);
  }
}
