/** Comparisons of the programs of ranks, as people and as programs read them. */
@NullMarked
package dev.lockstep.tools.diff;

import org.jspecify.annotations.NullMarked;
