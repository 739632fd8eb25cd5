package dev.lockstep.tools.job;

import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.shard.Shardings;

/**
 * One program of one rank, with the text that it was read from.
 *
 * @param file the rank's own file
 * @param source what was read
 * @param index which of the programs in the source it is
 * @param module the program
 */
record JobProgram(String file, Source source, int index, Module module) {
  /** Returns whether its arguments and results are parts of arrays that devices share. */
  boolean isOverSharedArrays() {
    return Shardings.of(module).isGlobal();
  }
}
