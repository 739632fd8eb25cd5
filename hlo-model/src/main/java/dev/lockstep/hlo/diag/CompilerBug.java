package dev.lockstep.hlo.diag;

/** Thrown when our own code broke one of its contracts; never for a wrong input. */
public final class CompilerBug extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates a bug report; {@code message} names the broken contract and the place. */
  public CompilerBug(String message) {
    super(message);
  }

  /** Creates a bug report with the failure that revealed it. */
  public CompilerBug(String message, Throwable cause) {
    super(message, cause);
  }
}
