package dev.lockstep.handshake.security;

import dev.lockstep.handshake.grpc.Transport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes authorities and certificates with the JDK's keytool. */
final class Certificates {
  private static final String PASSWORD = "changeit";
  private static final String AT_HOME = "san=dns:localhost,ip:127.0.0.1";

  private final Path folder;
  private final Path store;

  Certificates(Path folder) {
    this.folder = folder;
    this.store = folder.resolve("keys.p12");
  }

  /** Makes an authority, and returns its certificate. */
  Path authority(String name) {
    return authority(name, name);
  }

  /** Makes an authority that calls itself as it likes. */
  Path authority(String name, String called) {
    keytool("-genkeypair", "-alias", name, "-dname", "CN=" + called, "-ext", "bc:c");
    return pem(name + ".pem", "CERTIFICATE", encoded(name));
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
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-genkeypair",
                "-alias",
                name,
                "-dname",
                "CN=" + name,
                "-signer",
                signer,
                "-ext",
                names));
    arguments.addAll(List.of(more));
    keytool(arguments.toArray(String[]::new));
    try {
      byte[] key = open().getKey(name, PASSWORD.toCharArray()).getEncoded();
      return new Transport(
          pem(name + ".pem", "CERTIFICATE", encoded(name)),
          pem(name + ".key", "PRIVATE KEY", key),
          others,
          false);
    } catch (GeneralSecurityException broken) {
      throw new AssertionError(broken);
    }
  }

  private KeyStore open() {
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      return keys;
    } catch (IOException | GeneralSecurityException broken) {
      throw new AssertionError(broken);
    }
  }

  private byte[] encoded(String name) {
    try {
      Certificate certificate = open().getCertificate(name);
      return certificate.getEncoded();
    } catch (GeneralSecurityException broken) {
      throw new AssertionError(broken);
    }
  }

  private Path pem(String file, String kind, byte[] content) {
    String lines =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content);
    try {
      return Files.writeString(
          folder.resolve(file),
          "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n");
    } catch (IOException full) {
      throw new AssertionError(full);
    }
  }

  private void keytool(String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(List.of(arguments));
    command.addAll(
        List.of(
            "-keystore",
            store.toString(),
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1"));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      ByteArrayOutputStream said = new ByteArrayOutputStream();
      process.getInputStream().transferTo(said);
      if (process.waitFor() != 0) {
        throw new AssertionError(command + ": " + said.toString(StandardCharsets.UTF_8));
      }
    } catch (IOException broken) {
      throw new AssertionError(broken);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new AssertionError(stopped);
    }
  }
}
