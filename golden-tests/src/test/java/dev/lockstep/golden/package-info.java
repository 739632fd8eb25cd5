/** Golden files: what they hold, how they are read and how their expectations are rewritten. */
@NullMarked
package dev.lockstep.golden;

import org.jspecify.annotations.NullMarked;
