/** Entry functions over tensors alone: tuples and tokens that they take and give taken apart. */
@NullMarked
package dev.lockstep.hlo.flat;

import org.jspecify.annotations.NullMarked;
