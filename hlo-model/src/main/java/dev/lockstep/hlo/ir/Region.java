package dev.lockstep.hlo.ir;

import com.google.common.collect.ImmutableList;

/**
 * A list of blocks; everything that runs has exactly one.
 *
 * @param blocks the blocks
 */
public record Region(ImmutableList<Block> blocks) {
  /** A region without blocks. */
  public static final Region EMPTY = new Region(ImmutableList.of());

  /** Returns a region with one block. */
  public static Region of(Block block) {
    return new Region(ImmutableList.of(block));
  }

  /** Returns whether there is no block. */
  public boolean isEmpty() {
    return blocks.isEmpty();
  }

  /** Returns the first block; fails on an empty region. */
  public Block entry() {
    return blocks.get(0);
  }

  /** Identity: regions hold values, whose identity is the object. */
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
