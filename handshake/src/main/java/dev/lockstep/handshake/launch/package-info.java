/** Who this process is in its job: what launchers put into the environment. */
@NullMarked
package dev.lockstep.handshake.launch;

import org.jspecify.annotations.NullMarked;
