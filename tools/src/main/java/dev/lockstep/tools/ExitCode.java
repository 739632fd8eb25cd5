package dev.lockstep.tools;

/** What the process tells its caller; see {@code --help}. */
public final class ExitCode {
  /** Everything is fine. */
  public static final int OK = 0;

  /** The input is wrong, or the check failed. */
  public static final int FAILED = 1;

  /** It cannot be told: the proof is not possible. */
  public static final int UNKNOWN = 2;

  /** A peer is missing, late or refused us. */
  public static final int PEER = 3;

  /** Bad usage, a flag of a part that is not built yet included. */
  public static final int USAGE = 64;

  /** Something outside is missing: a plugin, a server, memory, room on the disk. */
  public static final int UNAVAILABLE = 69;

  /** Our bug; a reproducer file is named. */
  public static final int BUG = 70;

  private ExitCode() {}
}
