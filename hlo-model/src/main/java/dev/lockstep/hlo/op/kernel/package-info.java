/** Loops over elements that several ops share: folds, casts, index arithmetic, orders. */
@NullMarked
package dev.lockstep.hlo.op.kernel;

import org.jspecify.annotations.NullMarked;
