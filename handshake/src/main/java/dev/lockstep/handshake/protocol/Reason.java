package dev.lockstep.handshake.protocol;

/** Why a verdict is what it is. The words for people stand in {@link Verdict#text}. */
public enum Reason {
  /** All participants sent the same fingerprint at the same positions. */
  SAME_PROGRAM,
  /** The programs are equal but for literals. */
  LITERALS_DIFFER,
  /** The sequence of collectives is the same, some regions between them differ. */
  REGIONS_DIFFER,
  /** The programs have different collectives on groups that not all participants share. */
  PROGRAMS_DIFFER,
  /** Some participants cut the stretch of collectives into programs differently. */
  NOT_ALIGNED,
  /** Other participants run a program of an earlier verdict here, without asking again. */
  LONE_RECOMPILE,
  /** Some participants issue these collectives outside of any program. */
  EAGER,
  /** Ranks wait for each other in a circle, because they issue collectives in other orders. */
  CROSSED_ORDER,
  /** Two ranks would pair unlike collectives at one position of a group. */
  UNLIKE_COLLECTIVES,
  /** A participant never asked before the deadline. */
  ABSENT,
  /** A participant's connection is gone and it did not come back in time. */
  CONNECTION_LOST,
  /** A participant is connected and says nothing. */
  SILENT,
  /** The counts of a request do not follow from the rank's earlier requests. */
  COUNT_GAP,
  /** The request is not well formed. */
  MALFORMED,
  /** A participant left the job. */
  LEFT,
  /** A later epoch has begun. */
  RESTARTED,
  /** The coordinator does not answer. */
  UNREACHABLE
}
