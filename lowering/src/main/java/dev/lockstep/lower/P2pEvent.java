package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.type.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * One send or receive as all ranks see it in their one text.
 *
 * @param call number of the call in program order; the ops of a batch share it
 * @param isSend whether it sends
 * @param peers the rank that each rank sends to or receives from, -1 for a rank that takes no part
 * @param groupOf the group of each rank, by which messages of different groups are kept apart
 * @param tag the tag
 * @param type what is sent or received
 * @param location the call
 */
record P2pEvent(
    int call,
    boolean isSend,
    ImmutableIntArray peers,
    GroupKeys groupOf,
    Tag tag,
    TensorType type,
    Location location) {

  /**
   * What keeps messages between the same ranks apart.
   *
   * @param number torch's tag, or which of the channels between the two ranks it is
   * @param isXla whether the message is XLA's own
   * @param channel XLA's channel, for messages only: what moves in one permute may come from
   *     several
   */
  record Tag(long number, boolean isXla, long channel) {
    @Override
    public boolean equals(@Nullable Object object) {
      return object instanceof Tag other && number == other.number && isXla == other.isXla;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(number) * 2 + (isXla ? 1 : 0);
    }

    @Override
    public String toString() {
      return isXla ? "on channel " + channel : "with tag " + number;
    }
  }

  /** Returns {@code send} or {@code receive}, for messages. */
  String verb() {
    return isSend ? "send" : "receive";
  }

  /**
   * The group of each rank, as its members in order.
   *
   * @param members members of the group of each rank; empty for a rank in none
   */
  record GroupKeys(ImmutableList<ImmutableIntArray> members) {
    /** Returns the groups of a call. */
    static GroupKeys of(CallGroups groups) {
      ImmutableList.Builder<ImmutableIntArray> out = ImmutableList.builder();
      for (int r = 0; r < groups.grid().size(); r++) {
        out.add(
            groups.groupOf(r) < 0
                ? ImmutableIntArray.of()
                : groups.groups().get(groups.groupOf(r)));
      }
      return new GroupKeys(out.build());
    }
  }
}
