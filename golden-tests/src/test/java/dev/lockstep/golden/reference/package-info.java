/** What torch.distributed calls mean, straight from torch, as an oracle for their lowerings. */
@NullMarked
package dev.lockstep.golden.reference;

import org.jspecify.annotations.NullMarked;
