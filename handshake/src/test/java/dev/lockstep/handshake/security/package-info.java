/** What attackers try, over real sockets, while a healthy job goes on beside it. */
@NullMarked
package dev.lockstep.handshake.security;

import org.jspecify.annotations.NullMarked;
