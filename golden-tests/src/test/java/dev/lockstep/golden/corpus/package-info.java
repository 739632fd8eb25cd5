/** Reads and prints the programs of others, and compares with what their own tools print. */
@NullMarked
package dev.lockstep.golden.corpus;

import org.jspecify.annotations.NullMarked;
