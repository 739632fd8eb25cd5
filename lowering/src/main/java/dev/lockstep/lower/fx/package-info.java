/** The front end for torch FX graphs. */
@NullMarked
package dev.lockstep.lower.fx;

import org.jspecify.annotations.NullMarked;
