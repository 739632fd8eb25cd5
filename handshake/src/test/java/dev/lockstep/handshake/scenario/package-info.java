/** The scenarios of research/torch_tpu.md 1.8, and those that it could not do. */
@NullMarked
package dev.lockstep.handshake.scenario;

import org.jspecify.annotations.NullMarked;
