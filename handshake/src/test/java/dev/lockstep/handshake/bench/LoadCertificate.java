package dev.lockstep.handshake.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A certificate of localhost that signs itself, made with the JDK's keytool. */
final class LoadCertificate {
  private static final String PASSWORD = "handshake";

  private LoadCertificate() {}

  /**
   * Makes one in {@code folder}.
   *
   * @return the files of the certificate, of its key, and of the authority to trust, in PEM
   */
  static List<String> create(Path folder)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "load",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool: " + said);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    Path certificate = folder.resolve("certificate.pem");
    Path key = folder.resolve("key.pem");
    Files.writeString(certificate, pem("CERTIFICATE", keys.getCertificate("load").getEncoded()));
    Files.writeString(
        key, pem("PRIVATE KEY", keys.getKey("load", PASSWORD.toCharArray()).getEncoded()));
    return List.of(certificate.toString(), key.toString(), certificate.toString());
  }

  private static String pem(String what, byte[] bytes) {
    String lines =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes);
    return "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n";
  }
}
