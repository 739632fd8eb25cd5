/** Values of tensors, and the data that flows through an interpreter. */
@NullMarked
package dev.lockstep.hlo.literal;

import org.jspecify.annotations.NullMarked;
