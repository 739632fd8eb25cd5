/** What programs take: a stated model of time and memory on a device, from declared constants. */
@NullMarked
package dev.lockstep.pass.cost;

import org.jspecify.annotations.NullMarked;
