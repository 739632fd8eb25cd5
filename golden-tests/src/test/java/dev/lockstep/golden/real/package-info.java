/** Programs that frameworks wrote, run on the interpreter against what XLA computed. */
@NullMarked
package dev.lockstep.golden.real;

import org.jspecify.annotations.NullMarked;
