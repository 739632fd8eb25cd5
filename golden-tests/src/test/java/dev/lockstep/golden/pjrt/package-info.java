/** Programs on PJRT plugins, against the interpreter. */
@NullMarked
package dev.lockstep.golden.pjrt;

import org.jspecify.annotations.NullMarked;
