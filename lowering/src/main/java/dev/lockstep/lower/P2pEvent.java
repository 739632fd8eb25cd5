package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.type.TensorType;

/**
 * One send or receive as all ranks see it in their one text.
 *
 * @param call number of the call in program order; the ops of a batch share it
 * @param slot place within a batch, 0 elsewhere
 * @param isSend whether it sends
 * @param peers the rank that each rank sends to or receives from, -1 for a rank that takes no part
 * @param groupOf the group of each rank, by which messages of different groups are kept apart
 * @param tag the tag
 * @param type what is sent or received
 * @param location the call
 */
record P2pEvent(
    int call,
    int slot,
    boolean isSend,
    ImmutableIntArray peers,
    GroupKeys groupOf,
    long tag,
    TensorType type,
    Location location) {

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
