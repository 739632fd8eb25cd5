/** Seeded random programs that reading, printing and passes must not change. */
@NullMarked
package dev.lockstep.golden.random;

import org.jspecify.annotations.NullMarked;
