/** Ops in which several devices meet, and ops that talk to other devices or the host. */
@NullMarked
package dev.lockstep.hlo.op.collective;

import org.jspecify.annotations.NullMarked;
