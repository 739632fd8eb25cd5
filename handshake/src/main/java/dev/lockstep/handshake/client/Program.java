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

  /** Of the fingerprint alone, which takes no time: unequal programs hardly ever share one. */
  @Override
  public int hashCode() {
    return summary.hashCode();
  }

  /** How many positions the program takes on each of the groups. */
  int[] callsByGroup() {
    int[] calls = new int[groups.size()];
    for (int call = 0; call < summary.calls(); call++) {
      calls[summary.callGroups().get(call)]++;
    }
    calls[0] = summary.positions();
    return calls;
  }
}
