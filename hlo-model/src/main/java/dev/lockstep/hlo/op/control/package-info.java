/** Ops that run code, build tuples, order effects, state shardings, or check results. */
@NullMarked
package dev.lockstep.hlo.op.control;

import org.jspecify.annotations.NullMarked;
