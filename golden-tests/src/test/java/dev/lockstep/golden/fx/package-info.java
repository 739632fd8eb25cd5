/** Torch FX graphs, read and run, against what torch computed. */
@NullMarked
package dev.lockstep.golden.fx;

import org.jspecify.annotations.NullMarked;
