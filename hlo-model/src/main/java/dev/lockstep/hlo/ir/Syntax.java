package dev.lockstep.hlo.ir;

/** The text syntax that a module was written in and prints as. */
public enum Syntax {
  /** MLIR text of the StableHLO dialect and its neighbours. */
  STABLEHLO,
  /** XLA's HLO text. */
  HLO
}
