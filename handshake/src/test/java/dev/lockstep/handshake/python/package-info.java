/** A client in another language, generated from the protocol's file. */
@NullMarked
package dev.lockstep.handshake.python;

import org.jspecify.annotations.NullMarked;
