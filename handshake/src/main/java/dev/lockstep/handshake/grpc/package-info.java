/** The protocol over gRPC: sockets, threads and clocks around the pure state machines. */
@NullMarked
package dev.lockstep.handshake.grpc;

import org.jspecify.annotations.NullMarked;
