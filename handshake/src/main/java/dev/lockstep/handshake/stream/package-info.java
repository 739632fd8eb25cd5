/** What the services that serve streams have in common. */
@NullMarked
package dev.lockstep.handshake.stream;

import org.jspecify.annotations.NullMarked;
