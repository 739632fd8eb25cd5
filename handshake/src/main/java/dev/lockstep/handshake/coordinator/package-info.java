/** The side that compares: rounds, groups and verdicts, as a pure state machine. */
@NullMarked
package dev.lockstep.handshake.coordinator;

import org.jspecify.annotations.NullMarked;
