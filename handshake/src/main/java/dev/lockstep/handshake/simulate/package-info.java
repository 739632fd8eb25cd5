/** Whole jobs in one thread with simulated time, network and faults. */
@NullMarked
package dev.lockstep.handshake.simulate;

import org.jspecify.annotations.NullMarked;
