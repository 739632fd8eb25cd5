package dev.lockstep.pass;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Module;

/**
 * A pass that must see the programs of all ranks of a job at once, because one of them alone does
 * not say enough: whom its messages meet. In a pipeline over a set of ranks it runs on the set,
 * where other passes run on one program after the other.
 */
public interface SetPass extends Pass {
  /**
   * Returns the rewritten programs, in the same arrangement.
   *
   * @param ranks for each rank its programs in the order it runs them; ranks with equal programs
   *     share one object
   * @param context as for {@link #run}
   */
  ImmutableList<ImmutableList<Module>> runSet(
      ImmutableList<ImmutableList<Module>> ranks, PassContext context);
}
