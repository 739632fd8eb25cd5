/**
 * What ranks send each other while they run, passed on by the process that holds the coordinator.
 */
@NullMarked
package dev.lockstep.handshake.relay;

import org.jspecify.annotations.NullMarked;
