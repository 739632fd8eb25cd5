/** torch.distributed calls to XLA ops, one file a call. */
@NullMarked
package dev.lockstep.lower;

import org.jspecify.annotations.NullMarked;
