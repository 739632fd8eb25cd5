package dev.lockstep.tools;

/** Something outside this process is missing or refuses us; the message names the remedy. */
public final class EnvironmentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception; {@code message} is lower case without full stop. */
  public EnvironmentException(String message) {
    super(message);
  }
}
