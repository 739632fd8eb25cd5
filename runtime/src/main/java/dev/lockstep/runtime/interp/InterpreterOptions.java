package dev.lockstep.runtime.interp;

import static java.util.Objects.requireNonNull;

import dev.lockstep.hlo.diag.Diagnostic;
import java.util.function.Consumer;

/**
 * How a grid runs.
 *
 * @param rendezvous whether a send waits until its receiver is there
 * @param printer takes what programs print, a text without a line end at a time
 * @param warnings takes what is odd about a run and does not end it
 */
public record InterpreterOptions(
    boolean rendezvous, Consumer<String> printer, Consumer<Diagnostic> warnings) {
  /** Sends do not wait; what programs print and what is odd is dropped. */
  public static final InterpreterOptions DEFAULT =
      new InterpreterOptions(false, text -> {}, warning -> {});

  /** Checks that there are places for what comes out. */
  public InterpreterOptions {
    requireNonNull(printer);
    requireNonNull(warnings);
  }

  /** Returns these options with sends that wait, or do not. */
  public InterpreterOptions withRendezvous(boolean wait) {
    return new InterpreterOptions(wait, printer, warnings);
  }

  /** Returns these options with another place for what programs print. */
  public InterpreterOptions withPrinter(Consumer<String> newPrinter) {
    return new InterpreterOptions(rendezvous, newPrinter, warnings);
  }

  /** Returns these options with another place for warnings. */
  public InterpreterOptions withWarnings(Consumer<Diagnostic> newWarnings) {
    return new InterpreterOptions(rendezvous, printer, newWarnings);
  }
}
