package dev.lockstep.golden.arch;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.lockstep.testing.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The Java sources of all modules. */
final class Sources {
  private Sources() {}

  /** Returns all sources, tests included, with their texts. */
  static ImmutableSortedMap<Path, String> all() throws IOException {
    return under("src");
  }

  /** Returns the sources that are no tests, with their texts. */
  static ImmutableSortedMap<Path, String> main() throws IOException {
    return under("src/main");
  }

  private static ImmutableSortedMap<Path, String> under(String folder) throws IOException {
    ImmutableSortedMap.Builder<Path, String> out = ImmutableSortedMap.naturalOrder();
    for (Path path : files(folder)) {
      out.put(Checkout.root().relativize(path), Files.readString(path));
    }
    return out.buildOrThrow();
  }

  private static ImmutableList<Path> files(String folder) throws IOException {
    ImmutableList.Builder<Path> out = ImmutableList.builder();
    try (Stream<Path> modules = Files.list(Checkout.root())) {
      for (Path module :
          modules.map(it -> it.resolve(folder)).filter(Files::isDirectory).toList()) {
        try (Stream<Path> paths = Files.walk(module)) {
          paths.filter(path -> path.toString().endsWith(".java")).forEach(out::add);
        }
      }
    }
    return out.build();
  }
}
