/** Runs golden cases: reads, rewrites, executes, compares, blesses. */
@NullMarked
package dev.lockstep.golden.run;

import org.jspecify.annotations.NullMarked;
