package dev.lockstep.runtime.pjrt;

/** The codes of errors that plugins give, by their numbers. */
public enum PjrtCode {
  OK,
  CANCELLED,
  UNKNOWN,
  INVALID_ARGUMENT,
  DEADLINE_EXCEEDED,
  NOT_FOUND,
  ALREADY_EXISTS,
  PERMISSION_DENIED,
  RESOURCE_EXHAUSTED,
  FAILED_PRECONDITION,
  ABORTED,
  OUT_OF_RANGE,
  UNIMPLEMENTED,
  INTERNAL,
  UNAVAILABLE,
  DATA_LOSS,
  UNAUTHENTICATED;

  /** Returns the code that has {@code number}; {@link #UNKNOWN} for numbers without one. */
  static PjrtCode of(int number) {
    return number >= 0 && number < values().length ? values()[number] : UNKNOWN;
  }
}
