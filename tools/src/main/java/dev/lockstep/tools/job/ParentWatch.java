package dev.lockstep.tools.job;

import dev.lockstep.tools.ExitCode;
import java.io.IOException;
import java.io.InputStream;

/** Ends this process when the one that has started it is gone, however that came to be. */
public final class ParentWatch {
  private ParentWatch() {}

  /** Watches {@code in}, which the other process holds open and never writes to. */
  public static void start(InputStream in) {
    Thread watch =
        new Thread(
            () -> {
              try {
                while (in.read() >= 0) {}
              } catch (IOException gone) {
                // As good as its end.
              }
              // Not an ordinary exit: nobody is left who could wait for what hooks do.
              Runtime.getRuntime().halt(ExitCode.PEER);
            },
            "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }
}
