/** Tests of how the programs of ranks differ. */
@NullMarked
package dev.lockstep.pass.region.diff;

import org.jspecify.annotations.NullMarked;
