package dev.lockstep.handshake.stream;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.ConnectException;

/** Why a connection failed, in words for people. */
public final class Trouble {
  private Trouble() {}

  /** Returns what gRPC says, with the first cause, which names addresses and certificates. */
  public static String of(Throwable failure) {
    Throwable deepest = failure;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    String status = "";
    if (failure instanceof StatusRuntimeException refused) {
      Status said = refused.getStatus();
      String description = said.getDescription();
      // What follows the first line names classes of Netty.
      status =
          said.getCode()
              + (description == null ? "" : ": " + description.lines().findFirst().orElse(""));
      if (deepest == failure) {
        return status;
      }
    }
    String cause =
        deepest.getMessage() == null ? deepest.getClass().getSimpleName() : deepest.getMessage();
    if (deepest instanceof ConnectException) {
      // Such as "finishConnect(..) failed: Connection refused": the cause says all there is to say.
      return cause
          .replaceFirst("^\\w+\\(\\.\\.\\) failed(?: with error\\(-?\\d+\\))?: ", "")
          .replaceFirst("^C", "c");
    }
    return status.isEmpty() ? cause : status + ": " + cause;
  }
}
