/** Makes the programs of ranks that differ in data into one text for all ranks. */
@NullMarked
package dev.lockstep.pass.region.repair;

import org.jspecify.annotations.NullMarked;
