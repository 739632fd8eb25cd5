package dev.lockstep.runtime.pjrt;

import java.nio.charset.StandardCharsets;

/** An error of a plugin, with its code and its text. */
public final class PjrtException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final PjrtCode code;

  /** Creates an error of ours under one of the plugins' codes. */
  public PjrtException(PjrtCode code, String message) {
    super(message);
    this.code = code;
  }

  /** Creates an error out of what a plugin gave; native code calls this. */
  PjrtException(int code, byte[] message) {
    this(PjrtCode.of(code), new String(message, StandardCharsets.UTF_8));
  }

  /** Returns the code. */
  public PjrtCode code() {
    return code;
  }
}
