/** Tests of what is known about the programs of ranks. */
@NullMarked
package dev.lockstep.pass.region;

import org.jspecify.annotations.NullMarked;
