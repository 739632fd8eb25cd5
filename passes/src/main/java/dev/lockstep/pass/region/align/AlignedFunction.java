package dev.lockstep.pass.region.align;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Function;

/**
 * Functions of the programs that correspond.
 *
 * @param functions the function of each class
 * @param body their bodies
 */
public record AlignedFunction(ImmutableList<Function> functions, AlignedBlock body) {
  /** Returns the function of the first rank's program. */
  public Function base() {
    return functions.get(0);
  }

  /** Identity: bodies hold values, whose identity is the object. */
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
