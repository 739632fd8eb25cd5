package dev.lockstep.runtime.pjrt;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Loads the native shim, which the build puts beside the classes, for Linux on the processor that
 * it ran on. It is copied to a file of its own first, since it may lie in a jar.
 */
final class ShimLibrary {
  private static boolean loaded;

  private ShimLibrary() {}

  /**
   * Loads the shim unless it is.
   *
   * @throws PjrtUnavailableException if it was not built for this machine
   */
  static synchronized void load() {
    if (loaded) {
      return;
    }
    try {
      System.load(copy().toString());
      loaded = true;
    } catch (UnsatisfiedLinkError | IOException e) {
      throw unavailable("the native part of Lockstep cannot be loaded: " + e.getMessage());
    }
  }

  private static PjrtUnavailableException unavailable(String message) {
    return new PjrtUnavailableException(
        message
            + "; it is built with Lockstep where a C++ compiler (c++, g++ or clang++) is installed");
  }

  private static Path copy() throws IOException {
    String processor = System.getProperty("os.arch", "").replace("amd64", "x86_64");
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String resource = "/native/" + system + "-" + processor + "/liblockstep_pjrt.so";
    try (InputStream in = ShimLibrary.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw unavailable(
            "Lockstep was built without its native part for " + system + "-" + processor);
      }
      Path folder = Files.createTempDirectory("lockstep-pjrt");
      Path file = folder.resolve("liblockstep_pjrt.so");
      Files.copy(in, file);
      file.toFile().deleteOnExit();
      folder.toFile().deleteOnExit();
      return file;
    }
  }
}
