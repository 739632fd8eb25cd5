package dev.lockstep.handshake.grpc;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a connection is protected.
 *
 * @param certificate this side's certificate chain in PEM, or null for none
 * @param key its private key in PEM, or null for none
 * @param authority the certificates in PEM that the other side's must be signed by; null for those
 *     of the system at a client, and for not asking for any at a server
 * @param plaintext whether to go without TLS also where the other side is not this machine
 */
public record Transport(
    @Nullable Path certificate, @Nullable Path key, @Nullable Path authority, boolean plaintext) {
  /** Without TLS. */
  public static final Transport PLAINTEXT = new Transport(null, null, null, true);

  /** Without TLS, and only on this machine. */
  public static final Transport LOOPBACK = new Transport(null, null, null, false);

  /** Checks that a certificate comes with its key. */
  public Transport {
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException("a certificate needs its key, and a key its certificate");
    }
  }

  /** Whether TLS is used. */
  public boolean tls() {
    return certificate != null || authority != null;
  }

  /** Returns the failure of reading what is called a certificate or a key and is none. */
  static IOException unusable(IllegalArgumentException wrong) {
    String message = String.valueOf(wrong.getMessage());
    return new IOException(
        message
            .replaceFirst(
                "^File does not contain valid certificates: (.*)$",
                "$1 holds no certificate in PEM")
            .replaceFirst(
                "^File does not contain valid private key: (.*)$",
                "$1 holds no private key in PEM without a password"),
        wrong);
  }
}
