package dev.lockstep.tools;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/** What went wrong with a file, in words for people. */
public final class IoMessages {
  private IoMessages() {}

  /** Returns the reason without the file's name. */
  public static String reason(IOException exception) {
    if (exception instanceof NoSuchFileException) {
      return "no such file";
    }
    if (exception instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (exception instanceof FileAlreadyExistsException
        || exception instanceof NotDirectoryException) {
      return "a file stands where a folder must be";
    }
    @Nullable String reason =
        exception instanceof FileSystemException
            ? ((FileSystemException) exception).getReason()
            : exception.getMessage();
    return reason == null ? exception.getClass().getSimpleName() : uncapitalized(reason);
  }

  /** Returns the file that a failure names, if it names one, and the reason. */
  public static String named(IOException exception) {
    @Nullable String file =
        exception instanceof FileSystemException
            ? ((FileSystemException) exception).getFile()
            : null;
    return (file == null ? "" : file + ": ") + reason(exception);
  }

  /** Returns {@code text} as it stands in the middle of a sentence; names of things stay. */
  private static String uncapitalized(String text) {
    return text.length() < 2 || !Character.isLowerCase(text.charAt(1))
        ? text
        : Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }
}
