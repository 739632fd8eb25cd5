package dev.lockstep.testing;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The system's C++ compiler, as the build of the native shim finds it. */
public final class CppCompiler {
  private CppCompiler() {}

  /** Returns what to call, or an empty text where there is no compiler. */
  public static String find() {
    String named = System.getenv("CXX");
    List<String> candidates = new ArrayList<>();
    if (named != null && !named.isEmpty()) {
      candidates.add(named);
    }
    candidates.addAll(List.of("c++", "g++", "clang++"));
    String path = System.getenv("PATH");
    for (String candidate : candidates) {
      for (String folder : path == null ? new String[0] : path.split(":", -1)) {
        if (Files.isExecutable(Path.of(folder).resolve(candidate))) {
          return candidate;
        }
      }
    }
    return "";
  }

  /** Leaves the calling test out where there is no compiler, also in CI. */
  public static void require() {
    if (find().isEmpty()) {
      abort("left out: no C++ compiler (c++, g++, clang++ or $CXX)");
    }
  }

  /**
   * Compiles one file of the checkout.
   *
   * @param source its path below the root
   * @param target what to write
   * @throws IOException if it does not compile; the compiler's messages go to standard error
   */
  public static Path compile(String source, Path target, String... flags) throws IOException {
    List<String> command = new ArrayList<>(List.of(find(), "-std=c++17", "-O2"));
    command.addAll(List.of(flags));
    command.addAll(
        List.of("-o", target.toString(), Checkout.root().resolve(source).toString(), "-ldl"));
    Process process = new ProcessBuilder(command).inheritIO().start();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(source + " does not compile");
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return target;
  }
}
