package dev.lockstep.runtime.pjrt;

/** What PJRT needs is not on this machine: the native shim or a plugin. Says how to get it. */
public final class PjrtUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception; {@code message} says what is missing and how to get it. */
  public PjrtUnavailableException(String message) {
    super(message);
  }
}
