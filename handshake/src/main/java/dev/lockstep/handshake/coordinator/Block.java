package dev.lockstep.handshake.coordinator;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of one group's collectives that its members are passing, and the round that decides on
 * it. Positions are counts of collectives on the group since the epoch began.
 */
final class Block {
  final Timeline timeline;
  final Round round;
  final long start;
  long end;

  /** Some member cuts the stretch into other programs than the rest: nothing in it is fat. */
  boolean broken;

  /** How many members have passed {@link #end}. */
  int passed;

  /** The signature at each position that any member has told, kept only for broken blocks. */
  @Nullable Map<Long, Issued> issued;

  Block(Timeline timeline, Round round, long start, long end) {
    this.timeline = timeline;
    this.round = round;
    this.start = start;
    this.end = end;
  }

  /** A collective as one rank issues it. */
  record Issued(long signature, int rank, String text) {}

  /** Notes what {@code one} is at a position and returns what another rank said there before. */
  @Nullable Issued issue(long position, Issued one) {
    Map<Long, Issued> all = issued;
    if (all == null) {
      all = new HashMap<>();
      issued = all;
    }
    return all.putIfAbsent(position, one);
  }
}
