/**
 * Ranks of a job that agree, before they run, on what may be compiled whole.
 *
 * <p>The logic is pure: the {@linkplain dev.lockstep.handshake.coordinator.Coordinator coordinator}
 * and the {@linkplain dev.lockstep.handshake.client.RankClient client} take messages and the time
 * as arguments and hand messages out. Sockets, threads and clocks are around them, never inside.
 */
@NullMarked
package dev.lockstep.handshake;

import org.jspecify.annotations.NullMarked;
