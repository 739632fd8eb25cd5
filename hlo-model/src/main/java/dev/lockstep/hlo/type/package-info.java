/**
 * The closed set of types: tensors, tuples, tokens, and whatever text a reader met but does not
 * model.
 */
@NullMarked
package dev.lockstep.hlo.type;

import org.jspecify.annotations.NullMarked;
