/** Programs that XLA has partitioned. */
@NullMarked
package dev.lockstep.pass.partition;

import org.jspecify.annotations.NullMarked;
