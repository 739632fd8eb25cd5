/** The side that asks: one rank's half of the protocol, as a pure state machine. */
@NullMarked
package dev.lockstep.handshake.client;

import org.jspecify.annotations.NullMarked;
