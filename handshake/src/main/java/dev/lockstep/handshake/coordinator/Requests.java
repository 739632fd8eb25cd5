package dev.lockstep.handshake.coordinator;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.protocol.GroupUse;
import dev.lockstep.handshake.protocol.ProgramSummary;

/** What a request must obey. */
final class Requests {
  private Requests() {}

  /** Returns what is wrong with a request in itself, or "". */
  static String check(
      int rank, ProgramSummary program, ImmutableList<GroupUse> uses, Timeline[] groups) {
    int[] calls = new int[groups.length];
    for (int call = 0; call < program.calls(); call++) {
      int use = program.callGroups().get(call);
      if (use < 0 || use >= groups.length) {
        return "collective " + call + " is on group " + use + " of " + groups.length;
      }
      calls[use]++;
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
      if (i == 0 ? count != program.calls() : count != calls[i]) {
        return "the request counts "
            + count
            + " collectives on group "
            + groups[i].members
            + ", its program holds "
            + (i == 0 ? program.calls() : calls[i]);
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
