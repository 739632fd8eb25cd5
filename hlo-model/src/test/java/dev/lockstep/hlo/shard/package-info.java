/** Tests of shardings. */
@NullMarked
package dev.lockstep.hlo.shard;

import org.jspecify.annotations.NullMarked;
