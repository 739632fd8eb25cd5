package dev.lockstep.tools.pjrt;

import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hashing;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * A python package that holds a plugin for CPUs and whose content is known.
 *
 * @param name its name and version as pip takes them
 * @param processor the processor that it is for
 * @param sha256 of the wheel
 */
record Wheel(String name, String processor, String sha256) {
  /** Diagnostic code: a file is no wheel with a plugin. */
  static final String WRONG = "wheel";

  /** The known ones, the preferred first. */
  static final ImmutableList<Wheel> KNOWN =
      ImmutableList.of(
          new Wheel(
              "lammps-jax-pjrt-cpu==0.11.2",
              "x86_64",
              "1319390d948b39f69f7dade496b7c385149d9ca6097a6b62114da113216d9ad1"),
          new Wheel(
              "xla-cpu-pjrt==0.0.1",
              "x86_64",
              "55837b6b7b47daa717f2d9a5a03563ea0ceaa338d06a81a1e2d3f060d960decc"),
          new Wheel(
              "xla-cpu-pjrt==0.0.1",
              "aarch64",
              "8f613be6e891858f40d64f9799319502fff42689661944fc18a6ffd8210b30c9"));

  /** Returns the known wheel that {@code file} is, if any. */
  static Optional<Wheel> of(Path file) throws IOException {
    String hash =
        com.google.common.io.Files.asByteSource(file.toFile()).hash(Hashing.sha256()).toString();
    return KNOWN.stream().filter(wheel -> wheel.sha256.equals(hash)).findFirst();
  }

  /** Returns the processor of this machine, as wheels call it. */
  static String thisProcessor() {
    return System.getProperty("os.arch", "").replace("amd64", "x86_64");
  }

  /** Unpacks the largest shared library in {@code wheel}, the plugin, to {@code target}. */
  static void unpack(Path wheel, Path target) throws IOException {
    try (ZipFile zip = new ZipFile(wheel.toFile())) {
      ZipEntry library =
          zip.stream()
              .filter(entry -> entry.getName().endsWith(".so"))
              .max(Comparator.comparingLong(ZipEntry::getSize))
              .orElseThrow(() -> wrong(wheel, "holds no shared library"));
      Files.createDirectories(target.toAbsolutePath().getParent());
      Path fresh = target.resolveSibling(target.getFileName() + ".new");
      try (InputStream in = zip.getInputStream(library)) {
        Files.copy(in, fresh, StandardCopyOption.REPLACE_EXISTING);
      }
      Files.move(fresh, target, StandardCopyOption.REPLACE_EXISTING);
    } catch (ZipException e) {
      throw wrong(wheel, "is no wheel: it is no zip archive");
    }
  }

  private static DiagnosticException wrong(Path wheel, String what) {
    return DiagnosticException.error(WRONG, wheel + " " + what, Location.UNKNOWN);
  }
}
