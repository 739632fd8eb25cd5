package dev.lockstep.runtime.transport;

/** The ranks of a job cannot go on together; the message says why, and names the rank at fault. */
public final class TransportException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What has happened. */
  public enum Kind {
    /** A rank, or the way to it, is lost. */
    LOST,
    /** All ranks wait, and nothing is on its way. */
    STALLED
  }

  private final Kind kind;

  /** Creates the exception. */
  public TransportException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** Returns what has happened. */
  public Kind kind() {
    return kind;
  }
}
