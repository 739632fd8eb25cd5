package dev.lockstep.handshake.protocol;

/** When a rank asks for a verdict (seeds/000: the three stages of the RFC). */
public enum Stage {
  /** Never: every program that holds collectives is cut. */
  OFF,
  /** When a program is compiled; what is dispatched later is only counted. */
  COMPILE,
  /** At every dispatch, asked for while the one before is still running. */
  DISPATCH
}
