package dev.lockstep.tools.job;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.nio.file.Path;

/** Folders that are gone after a run. */
final class TemporaryFolder {
  private TemporaryFolder() {}

  /** Deletes {@code folder} with all that it holds; what cannot be deleted stays. */
  static void delete(Path folder) {
    try {
      MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
    } catch (IOException e) {
      // The system's temporary folder is cleaned by others too.
    }
  }
}
