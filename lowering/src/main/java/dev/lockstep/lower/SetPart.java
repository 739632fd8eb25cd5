package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import org.jspecify.annotations.Nullable;

/**
 * A loop, call or branch with calls inside, or a collective of XLA's own, which no call may pass.
 *
 * @param rank whose program it is in
 * @param operation the operation
 * @param key what ranks that come to the same one share
 * @param bodies the code in it; none for a collective
 * @param group who meets in a collective; null for code
 */
record SetPart(
    int rank,
    Operation operation,
    String key,
    ImmutableList<Block> bodies,
    @Nullable ImmutableIntArray group)
    implements SetItem {
  @Override
  public String toString() {
    return key;
  }
}
