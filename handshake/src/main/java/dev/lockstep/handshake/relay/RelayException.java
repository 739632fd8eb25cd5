package dev.lockstep.handshake.relay;

/** The ranks of a job cannot go on together; the message says why and names the rank at fault. */
public final class RelayException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean stalled;

  RelayException(boolean stalled, String message) {
    super(message);
    this.stalled = stalled;
  }

  /** Returns whether all ranks wait and nothing is on its way; else a rank is lost. */
  public boolean isStalled() {
    return stalled;
  }
}
