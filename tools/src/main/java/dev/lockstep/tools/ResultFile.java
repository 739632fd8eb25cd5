package dev.lockstep.tools;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Writes files of results whole or not at all: what stood in a file is lost only once all that is
 * to replace it is on the disk.
 */
public final class ResultFile {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** What comes into a file. */
  public interface Content {
    /** Writes it. */
    void writeTo(OutputStream out) throws IOException;
  }

  private ResultFile() {}

  /**
   * Writes {@code file}, with the folders above it.
   *
   * @throws EnvironmentException when that is not possible; what was there before stays then
   */
  static void write(Path file, Content content) throws IOException {
    Path target;
    Path half;
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      // Where the name is a link, the file that it leads to is replaced, not the link.
      target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
      half = half(target);
    } catch (IOException e) {
      throw NamedOutputStream.failed(file.toString(), e);
    }
    if (half == null) {
      writeTo(file, file, content);
      return;
    }
    try {
      writeTo(half, file, content);
      Files.move(half, target, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw NamedOutputStream.failed(file.toString(), e);
    } finally {
      Files.deleteIfExists(half);
    }
  }

  /**
   * Creates an empty file beside {@code target} to become it; null where {@code target} must be
   * written in place: a device or a pipe, a file of somebody else, a folder that takes no files.
   */
  private static @Nullable Path half(Path target) throws IOException {
    boolean replaces = Files.exists(target);
    if (replaces && !Files.isRegularFile(target)) {
      return null;
    }
    if (replaces && !Files.isWritable(target)) {
      throw new AccessDeniedException(target.toString());
    }
    Path half =
        target.resolveSibling(
            ".lockstep-"
                + ProcessHandle.current().pid()
                + "-"
                + NUMBER.incrementAndGet()
                + ".part");
    try {
      Files.createFile(half);
    } catch (AccessDeniedException e) {
      return null;
    }
    half.toFile().deleteOnExit();
    if (replaces) {
      if (!Files.getOwner(half).equals(Files.getOwner(target))) {
        Files.delete(half);
        return null;
      }
      if (Files.getFileStore(target).supportsFileAttributeView("posix")) {
        Files.setPosixFilePermissions(half, Files.getPosixFilePermissions(target));
      }
    }
    return half;
  }

  private static void writeTo(Path file, Path named, Content content) throws IOException {
    OutputStream opened;
    try {
      opened = Files.newOutputStream(file);
    } catch (IOException e) {
      throw NamedOutputStream.failed(named.toString(), e);
    }
    try (OutputStream out = new NamedOutputStream(opened, named.toString())) {
      content.writeTo(out);
    }
  }
}
