/**
 * StableHLO and neighbouring dialects as MLIR text: the reader and the printer.
 *
 * <p>Reading: {@link dev.lockstep.hlo.text.mlir.MlirLexer} makes tokens straight from the bytes,
 * the generated parser {@code MlirText} runs over {@link dev.lockstep.hlo.text.mlir.TokenRing}
 * without a tree and without adaptive prediction, and its actions in {@link
 * dev.lockstep.hlo.text.mlir.MlirActions} build the model. No op name occurs here: the assembly of
 * every op is data, {@link dev.lockstep.hlo.op.MlirAssembly}.
 */
@NullMarked
package dev.lockstep.hlo.text.mlir;

import org.jspecify.annotations.NullMarked;
