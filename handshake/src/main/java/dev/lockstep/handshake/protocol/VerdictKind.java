package dev.lockstep.handshake.protocol;

/** What a rank may do with the program it asked about. */
public enum VerdictKind {
  /** Compile and run it whole: every participant holds the same program at the same position. */
  FAT(true),
  /** Cut it around the regions that differ; what is left is the same on every participant. */
  PARTIAL(true),
  /** The programs differ in literals only: make those inputs or tables and ask again, or cut. */
  REPAIR(true),
  /** Cut it at every collective, in program order. */
  SKINNY(true),
  /** Do not run it: a collective would be paired with an unlike one. */
  MISMATCH(false),
  /** Do not run it: a participant did not ask in time. */
  TIMED_OUT(false),
  /** Do not run it: a participant is lost. */
  PEER_LOST(false),
  /** Do not run it: what was asked contradicts what this rank said before. */
  REJECTED(false),
  /** Do not run it: the job goes on in a later epoch. */
  EPOCH_OVER(false),
  /** Do not run it: the coordinator could not be reached in time. Only a client says this. */
  NO_COORDINATOR(false);

  private final boolean runs;

  VerdictKind(boolean runs) {
    this.runs = runs;
  }

  /** Whether the program may be run, whole or cut. */
  public boolean runs() {
    return runs;
  }
}
