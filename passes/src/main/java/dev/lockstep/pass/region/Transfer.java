package dev.lockstep.pass.region;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.type.Type;

/**
 * One message that a rank sends or receives. Messages match first in first out for each group,
 * source, target and tag.
 *
 * @param isSend whether it is sent
 * @param rank who sends or receives it
 * @param peer the other side, or {@link #ANYBODY}
 * @param group the process group by which torch keeps messages apart; empty for XLA's own
 * @param tag torch's tag or XLA's channel
 * @param types what is carried, without layouts
 */
public record Transfer(
    boolean isSend,
    int rank,
    int peer,
    ImmutableIntArray group,
    long tag,
    ImmutableList<Type> types) {
  /** XLA's sends and receives without pairs take any partner on the channel. */
  public static final int ANYBODY = -1;

  /** Returns who sends, or {@link #ANYBODY}. */
  public int source() {
    return peer == ANYBODY ? ANYBODY : isSend ? rank : peer;
  }

  /** Returns who receives, or {@link #ANYBODY}. */
  public int target() {
    return peer == ANYBODY ? ANYBODY : isSend ? peer : rank;
  }
}
