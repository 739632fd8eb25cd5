package dev.lockstep.runtime.interp;

import static java.util.Objects.requireNonNull;

import java.util.function.Consumer;

/**
 * How a grid runs.
 *
 * @param rendezvous whether a send waits until its receiver is there
 * @param printer takes what programs print, a text without a line end at a time
 */
public record InterpreterOptions(boolean rendezvous, Consumer<String> printer) {
  /** Sends do not wait; what programs print is dropped. */
  public static final InterpreterOptions DEFAULT = new InterpreterOptions(false, text -> {});

  /** Checks that there is a printer. */
  public InterpreterOptions {
    requireNonNull(printer);
  }

  /** Returns these options with sends that wait, or do not. */
  public InterpreterOptions withRendezvous(boolean wait) {
    return new InterpreterOptions(wait, printer);
  }

  /** Returns these options with another place for what programs print. */
  public InterpreterOptions withPrinter(Consumer<String> newPrinter) {
    return new InterpreterOptions(rendezvous, newPrinter);
  }
}
