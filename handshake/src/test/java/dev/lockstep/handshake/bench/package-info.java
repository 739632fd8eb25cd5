/** Loads a coordinator over real sockets; docs/benchmarks.md says how it is run. */
@NullMarked
package dev.lockstep.handshake.bench;

import org.jspecify.annotations.NullMarked;
