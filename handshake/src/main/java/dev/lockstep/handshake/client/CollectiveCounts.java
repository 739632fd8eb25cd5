package dev.lockstep.handshake.client;

import dev.lockstep.handshake.protocol.RankList;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many collectives one rank has issued on each group (research/torch_tpu.md 1.4), eager ones
 * included.
 */
public final class CollectiveCounts {
  private final Map<RankList, Long> counts = new LinkedHashMap<>();

  /** How many collectives were issued on {@code group}. */
  public long before(RankList group) {
    return counts.getOrDefault(group, 0L);
  }

  /**
   * Counts {@code more} collectives on {@code group}.
   *
   * @return how many were issued before them
   * @throws IllegalArgumentException if {@code more} is negative
   */
  public long advance(RankList group, int more) {
    if (more < 0) {
      throw new IllegalArgumentException("a count of collectives is " + more);
    }
    long before = before(group);
    counts.put(group, before + more);
    return before;
  }
}
