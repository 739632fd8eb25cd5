/** What ranks and the coordinator tell each other. */
@NullMarked
package dev.lockstep.handshake.protocol;

import org.jspecify.annotations.NullMarked;
