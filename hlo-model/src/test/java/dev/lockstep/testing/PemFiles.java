package dev.lockstep.testing;

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

/** Makes authorities, certificates and keys in PEM with the JDK's keytool. */
public final class PemFiles {
  private static final String PASSWORD = "changeit";

  private final Path folder;
  private final Path store;

  /**
   * A certificate and its key.
   *
   * @param certificate signed by the authority that was asked for
   * @param key not protected
   */
  public record Pair(Path certificate, Path key) {}

  /** Keeps files in {@code folder}. */
  public PemFiles(Path folder) {
    this.folder = folder;
    this.store = folder.resolve("keys.p12");
  }

  /** Makes an authority that calls itself as it likes, and returns its certificate. */
  public Path authority(String name, String called) {
    keytool("-genkeypair", "-alias", name, "-dname", "CN=" + called, "-ext", "bc:c");
    return pem(name + ".pem", "CERTIFICATE", encoded(name));
  }

  /**
   * Makes a certificate.
   *
   * @param names as keytool's {@code -ext} takes them: {@code san=dns:localhost}
   * @param more further words for keytool
   */
  public Pair certificate(String name, String signer, String names, String... more) {
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
      return new Pair(
          pem(name + ".pem", "CERTIFICATE", encoded(name)), pem(name + ".key", "PRIVATE KEY", key));
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
