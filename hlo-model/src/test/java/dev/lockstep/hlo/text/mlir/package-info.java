/** Tests of the MLIR reader and printer. */
@NullMarked
package dev.lockstep.hlo.text.mlir;

import org.jspecify.annotations.NullMarked;
