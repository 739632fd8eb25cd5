package dev.lockstep.tools;

/** A line that says how far long work is; shown on a terminal only. */
public final class Progress implements AutoCloseable {
  private static final int WIDTH = 30;
  private static final long EVERY_NANOS = 100_000_000;

  private final Console console;
  private final String what;
  private final int total;
  private long shownAt;
  private boolean shown;

  /** Creates the progress of {@code total} steps, {@code what} being their plural. */
  public Progress(Console console, String what, int total) {
    this.console = console;
    this.what = what;
    this.total = total;
    this.shownAt = System.nanoTime();
  }

  /** Says that {@code done} steps are done. */
  public void update(int done) {
    if (!console.terminal() || System.nanoTime() - shownAt < EVERY_NANOS) {
      return;
    }
    shownAt = System.nanoTime();
    shown = true;
    int filled = total == 0 ? WIDTH : WIDTH * done / total;
    console
        .err()
        .printf(
            "\r[%s%s] %d of %d %s",
            "=".repeat(filled), " ".repeat(WIDTH - filled), done, total, what);
    console.err().flush();
  }

  /** Removes the line. */
  @Override
  public void close() {
    if (shown) {
      console.err().print("\r\u001b[K");
      console.err().flush();
    }
  }
}
