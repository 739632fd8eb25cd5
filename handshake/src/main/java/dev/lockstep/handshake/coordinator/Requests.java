package dev.lockstep.handshake.coordinator;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.protocol.GroupUse;
import dev.lockstep.handshake.protocol.ProgramSummary;

/** What a request must obey. */
final class Requests {
  private Requests() {}

  /**
   * Returns how many of a program's collectives are on each group, as far as groups are referred
   * to.
   */
  static int[] callsByGroup(ProgramSummary program) {
    int groups = 0;
    for (int call = 0; call < program.calls(); call++) {
      int use = program.callGroups().get(call);
      groups = Math.max(groups, use + 1);
    }
    int[] calls = new int[groups];
    for (int call = 0; call < program.calls(); call++) {
      calls[program.callGroups().get(call)]++;
    }
    return calls;
  }

  /**
   * Returns what is wrong with a request in itself, or "".
   *
   * @param positions how many positions the program takes on the list of participants
   * @param calls how many of the program's collectives are on each group that it refers to
   */
  static String check(
      int rank, int positions, int[] calls, ImmutableList<GroupUse> uses, Timeline[] groups) {
    if (calls.length > groups.length) {
      return "a collective is on group " + (calls.length - 1) + " of " + groups.length;
    }
    for (int i = 0; i < groups.length; i++) {
      if (!groups[i].members.contains(rank)) {
        return "rank " + rank + " is not a member of group " + groups[i].members;
      }
      for (int j = 0; j < i; j++) {
        if (groups[j] == groups[i]) {
          return "group " + groups[i].members + " is named twice";
        }
      }
      int count = uses.get(i).count();
      int held = i == 0 ? positions : i < calls.length ? calls[i] : 0;
      if (count != held) {
        return "the request counts "
            + count
            + " collectives on group "
            + groups[i].members
            + ", its program holds "
            + held;
      }
    }
    return "";
  }

  /** Returns where a request does not follow from the rank's earlier ones, or "". */
  static String gap(int rank, ImmutableList<GroupUse> uses, Timeline[] groups) {
    for (int i = 0; i < groups.length; i++) {
      long known = groups[i].covered(groups[i].members.indexOf(rank));
      long before = uses.get(i).before();
      if (known != Timeline.UNKNOWN && known != before) {
        return "rank "
            + rank
            + " says it has issued "
            + before
            + " collectives on group "
            + groups[i].members
            + ", its earlier requests come to "
            + known
            + (before > known ? "; collectives outside of programs must be told as well" : "");
      }
    }
    return "";
  }
}
