/** Ops that compute over several elements at once: products, windows, folds, sorts, transforms. */
@NullMarked
package dev.lockstep.hlo.op.compute;

import org.jspecify.annotations.NullMarked;
