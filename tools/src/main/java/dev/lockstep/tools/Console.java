package dev.lockstep.tools;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The streams of one run: results go to {@code out}, words for people to {@code err}.
 *
 * @param in standard input
 * @param out standard output, UTF-8
 * @param err standard error, UTF-8
 * @param terminal whether a person watches {@code err}
 */
public record Console(InputStream in, PrintStream out, PrintStream err, boolean terminal) {
  private static final int BUFFER = 1 << 16;

  /** Returns the streams of this process. The launcher says whether the third is a terminal. */
  public static Console system() {
    return new Console(
        System.in,
        stream(FileDescriptor.out, false),
        stream(FileDescriptor.err, true),
        Boolean.getBoolean("lockstep.terminal"));
  }

  private static PrintStream stream(FileDescriptor descriptor, boolean flushLines) {
    return new PrintStream(
        new BufferedOutputStream(new FileOutputStream(descriptor), BUFFER),
        flushLines,
        StandardCharsets.UTF_8);
  }
}
