package dev.lockstep.handshake.security;

import dev.lockstep.handshake.grpc.Transport;
import dev.lockstep.testing.PemFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Authorities and certificates of jobs. */
final class Certificates {
  private static final String AT_HOME = "san=dns:localhost,ip:127.0.0.1";

  private final PemFiles files;

  Certificates(Path folder) {
    this.files = new PemFiles(folder);
  }

  /** Makes an authority, and returns its certificate. */
  Path authority(String name) {
    return authority(name, name);
  }

  /** Makes an authority that calls itself as it likes. */
  Path authority(String name, String called) {
    return files.authority(name, called);
  }

  /** Makes a server's certificate for this machine. */
  Transport server(String name, String signer, @Nullable Path clients, String... more) {
    return issue(name, signer, clients, AT_HOME, more);
  }

  /** Makes a client's certificate. */
  Transport client(String name, String signer, Path servers, String... more) {
    return issue(name, signer, servers, AT_HOME, more);
  }

  /** Makes a client's certificate that names ranks. */
  Transport rank(String name, String signer, Path servers, String identity) {
    return issue(name, signer, servers, AT_HOME + ",uri:" + identity);
  }

  private Transport issue(
      String name, String signer, @Nullable Path others, String names, String... more) {
    PemFiles.Pair made = files.certificate(name, signer, names, more);
    return new Transport(made.certificate(), made.key(), others, false);
  }
}
