/** Single ops on random arguments, compared with what XLA's CPU client computes. */
@NullMarked
package dev.lockstep.golden.oracle;

import org.jspecify.annotations.NullMarked;
