package dev.lockstep.handshake.coordinator;

import dev.lockstep.handshake.protocol.RankList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far the members of a group have come, in collectives on the group, and the blocks that not
 * all of them have passed: in order, without overlap.
 */
final class Timeline {
  /** Before a member's first request its count is not known. */
  static final long UNKNOWN = -1;

  final RankList members;

  /** Collectives that each member has issued or asked about. */
  private final long[] covered;

  private long farthest = UNKNOWN;
  private final List<Block> blocks = new ArrayList<>(2);

  /** How many members are lost. */
  int lostMembers;

  Timeline(RankList members) {
    this.members = members;
    this.covered = new long[members.size()];
    Arrays.fill(covered, UNKNOWN);
  }

  long covered(int member) {
    return covered[member];
  }

  /** Returns the block that holds {@code position}, or null. */
  @Nullable Block at(long position) {
    for (int i = 0; i < blocks.size(); i++) {
      Block block = blocks.get(i);
      if (position < block.start) {
        return null;
      }
      if (position < block.end) {
        return block;
      }
    }
    return null;
  }

  /** Whether {@code block} is the only one that [start, end) touches, and is exactly that. */
  static boolean exactly(Block block, long start, long end) {
    return block.start == start && block.end == end;
  }

  /** Returns the blocks that [start, end) touches, in order. */
  List<Block> touched(long start, long end) {
    List<Block> found = new ArrayList<>();
    for (Block block : blocks) {
      if (block.start < end && start < block.end) {
        found.add(block);
      }
    }
    return found;
  }

  /**
   * Adds a block for [start, end) as far as no later block covers it.
   *
   * @param start a position that no block holds
   */
  Block open(Round round, long start, long end) {
    int at = blocks.size();
    while (at > 0 && blocks.get(at - 1).start > start) {
      at--;
    }
    long until = at < blocks.size() ? Math.min(end, blocks.get(at).start) : end;
    Block block = new Block(this, round, start, until);
    if (until <= farthest) {
      recount(block);
    }
    blocks.add(at, block);
    round.blocks.add(block);
    return block;
  }

  /** Makes the blocks cover [start, end) without gaps, by extending those before a gap. */
  void fill(long start, long end) {
    for (int i = 0; i < blocks.size(); i++) {
      Block block = blocks.get(i);
      if (block.end <= start || block.start >= end) {
        continue;
      }
      long next = i + 1 < blocks.size() ? Math.min(end, blocks.get(i + 1).start) : end;
      if (next > block.end) {
        block.end = next;
        recount(block);
      }
    }
  }

  /**
   * Notes that a member has come to {@code position}, and drops the blocks that all have passed.
   */
  void cover(int member, long position) {
    long before = covered[member];
    covered[member] = position;
    farthest = Math.max(farthest, position);
    for (int i = 0; i < blocks.size(); ) {
      Block block = blocks.get(i);
      if (before < block.end && block.end <= position) {
        block.passed++;
      }
      if (block.passed == members.size()) {
        blocks.remove(i);
      } else {
        i++;
      }
    }
  }

  private void recount(Block block) {
    int passed = 0;
    for (long position : covered) {
      if (position >= block.end) {
        passed++;
      }
    }
    block.passed = passed;
  }
}
