package dev.lockstep.runtime.values;

/**
 * A value file holds something else than it should. The message goes after the name of the file or
 * key: "has 3 bytes of data, ...".
 */
final class ValueFormatException extends Exception {
  private static final long serialVersionUID = 1L;

  ValueFormatException(String message) {
    super(message);
  }
}
