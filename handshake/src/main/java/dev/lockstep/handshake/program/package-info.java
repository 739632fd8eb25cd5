/** From a compiler's program to what the protocol tells of it. */
@NullMarked
package dev.lockstep.handshake.program;

import org.jspecify.annotations.NullMarked;
