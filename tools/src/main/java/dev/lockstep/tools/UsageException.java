package dev.lockstep.tools;

/** The command line cannot be meant as it is written, or asks for a part not built yet. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception; {@code message} is lower case without full stop. */
  public UsageException(String message) {
    super(message);
  }

  /** Returns the refusal of {@code what}, for example "--backend pjrt: the PJRT executor". */
  public static UsageException notBuilt(String flag, String missingPart) {
    return new UsageException(flag + ": not built yet: " + missingPart);
  }
}
