/** What an op is: names, MLIR assembly, constraints and meaning, one definition an op. */
@NullMarked
package dev.lockstep.hlo.op;

import org.jspecify.annotations.NullMarked;
