package dev.lockstep.handshake.client;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankList;

/**
 * A program as a rank holds it.
 *
 * @param name what people call it
 * @param summary what the coordinator compares
 * @param groups the groups that {@link ProgramSummary#callGroups} refers to: the participants, then
 *     the rank's own groups that differ from them
 */
public record Program(String name, ProgramSummary summary, ImmutableList<RankList> groups) {
  /** Checks that every collective's group is there. */
  public Program {
    if (groups.isEmpty()) {
      throw new IllegalArgumentException("a program has participants");
    }
    for (int call = 0; call < summary.calls(); call++) {
      int group = summary.callGroups().get(call);
      if (group < 0 || group >= groups.size()) {
        throw new IllegalArgumentException(
            "collective " + call + " is on group " + group + " of " + groups.size());
      }
    }
  }

  /** How many collectives are on the {@code group}-th group; on the participants, all of them. */
  int calls(int group) {
    if (group == 0) {
      return summary.calls();
    }
    int calls = 0;
    for (int call = 0; call < summary.calls(); call++) {
      calls += summary.callGroups().get(call) == group ? 1 : 0;
    }
    return calls;
  }
}
