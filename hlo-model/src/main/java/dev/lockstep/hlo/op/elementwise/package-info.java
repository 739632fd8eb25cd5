/** Ops that work element by element, and their arithmetic. */
@NullMarked
package dev.lockstep.hlo.op.elementwise;

import org.jspecify.annotations.NullMarked;
