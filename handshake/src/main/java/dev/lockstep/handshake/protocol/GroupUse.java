package dev.lockstep.handshake.protocol;

/**
 * The stretch of a group's collectives that a program holds.
 *
 * @param group the group, as its number in the connection's table of groups
 * @param before how many collectives this rank has issued on the group before the program
 * @param count how many the program holds
 */
public record GroupUse(int group, long before, int count) {
  /** Checks the counts. */
  public GroupUse {
    if (before < 0) {
      throw new IllegalArgumentException("a count before the program is " + before);
    }
    if (count <= 0) {
      throw new IllegalArgumentException("a program holds " + count + " collectives of a group");
    }
  }

  /** How many collectives this rank has issued on the group after the program. */
  public long after() {
    return before + count;
  }
}
