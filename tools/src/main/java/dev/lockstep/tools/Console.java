package dev.lockstep.tools;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

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
    return stream(new FileOutputStream(descriptor), flushLines);
  }

  /** Returns a stream in UTF-8 that remembers why it failed. */
  static PrintStream stream(OutputStream out, boolean flushLines) {
    return new Lines(new Remembering(out), flushLines);
  }

  /** Returns why not all of {@code out} was written so far, null when it was. Flushes. */
  @Nullable IOException failure() {
    if (!out.checkError()) {
      return null;
    }
    IOException reason = out instanceof Lines lines ? lines.target.failure : null;
    return reason == null ? new IOException("it is closed") : reason;
  }

  private static final class Lines extends PrintStream {
    private final Remembering target;

    Lines(Remembering target, boolean flushLines) {
      super(new BufferedOutputStream(target, BUFFER), flushLines, StandardCharsets.UTF_8);
      this.target = target;
    }
  }

  /** Keeps the failure that a {@link PrintStream} swallows. */
  private static final class Remembering extends FilterOutputStream {
    private @Nullable IOException failure;

    Remembering(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int begin, int length) throws IOException {
      try {
        out.write(bytes, begin, length);
      } catch (IOException e) {
        failure = failure == null ? e : failure;
        throw e;
      }
    }
  }
}
