/** Tensors that are split unevenly over ranks: explained, and written as padded ones. */
@NullMarked
package dev.lockstep.pass.region.shards;

import org.jspecify.annotations.NullMarked;
