/** The actions of the verb handshake. */
@NullMarked
package dev.lockstep.tools.handshake;

import org.jspecify.annotations.NullMarked;
