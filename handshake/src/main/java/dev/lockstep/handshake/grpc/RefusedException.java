package dev.lockstep.handshake.grpc;

import java.io.IOException;

/** The coordinator answers, and will not have to do with the one who asks. */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1;

  RefusedException(String why, Throwable cause) {
    super(why, cause);
  }
}
