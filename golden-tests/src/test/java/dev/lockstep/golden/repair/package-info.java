/** Programs of ranks that are made equal: what they say, and that they compute the same. */
@NullMarked
package dev.lockstep.golden.repair;

import org.jspecify.annotations.NullMarked;
