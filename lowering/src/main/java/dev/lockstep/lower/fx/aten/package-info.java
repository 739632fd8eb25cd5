/** What torch's operators mean in StableHLO: one table, one file a family. */
@NullMarked
package dev.lockstep.lower.fx.aten;

import org.jspecify.annotations.NullMarked;
