package dev.lockstep.hlo.diag;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects diagnostics, so that one run reports many problems. Not thread-safe. */
public final class DiagnosticSink {
  /** Errors after which collecting more would only bury the first ones. */
  public static final int MAX_ERRORS = 100;

  private static final Comparator<Diagnostic> BY_PLACE =
      Comparator.comparing((Diagnostic d) -> d.location().source().name())
          .thenComparingInt(d -> d.location().begin())
          .thenComparing(Diagnostic::code)
          .thenComparing(Diagnostic::message);

  private final List<Diagnostic> all = new ArrayList<>();
  private int errors;

  /** Adds {@code diagnostic}; errors beyond {@link #MAX_ERRORS} are only counted. */
  public void report(Diagnostic diagnostic) {
    if (diagnostic.severity() == Severity.ERROR && errors++ >= MAX_ERRORS) {
      return;
    }
    all.add(diagnostic);
  }

  /** Adds an error without notes. */
  public void error(String code, String message, Location location) {
    report(Diagnostic.error(code, message, location));
  }

  /** Adds a warning without notes. */
  public void warning(String code, String message, Location location) {
    report(Diagnostic.warning(code, message, location));
  }

  /** Returns how many errors were reported, kept or not. */
  public int errorCount() {
    return errors;
  }

  /** Returns whether any error was reported. */
  public boolean hasErrors() {
    return errors > 0;
  }

  /** Returns what was collected, sorted by place, then code. */
  public ImmutableList<Diagnostic> diagnostics() {
    return ImmutableList.sortedCopyOf(BY_PLACE, all);
  }

  /** Throws a {@link DiagnosticException} with everything collected if there is an error. */
  public void throwIfErrors() {
    if (hasErrors()) {
      throw new DiagnosticException(diagnostics());
    }
  }
}
