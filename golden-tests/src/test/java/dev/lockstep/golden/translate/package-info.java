/** StableHLO to HLO and back, by execution and against XLA's own readers and translation. */
@NullMarked
package dev.lockstep.golden.translate;

import org.jspecify.annotations.NullMarked;
