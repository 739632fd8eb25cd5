package dev.lockstep.hlo.diag;

import com.google.common.collect.ImmutableList;
import java.util.stream.Collectors;

/**
 * Thrown when work cannot go on because of errors in the input.
 *
 * <p>It carries what the user must see; it is never our bug (that is {@link CompilerBug}).
 */
public final class DiagnosticException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ImmutableList<Diagnostic> diagnostics;

  /** Creates an exception for {@code diagnostics}, which holds at least one error. */
  public DiagnosticException(Iterable<Diagnostic> diagnostics) {
    super(render(ImmutableList.copyOf(diagnostics)));
    this.diagnostics = ImmutableList.copyOf(diagnostics);
  }

  /** Creates an exception for one diagnostic. */
  public DiagnosticException(Diagnostic diagnostic) {
    this(ImmutableList.of(diagnostic));
  }

  /** Returns a new exception for one error without notes. */
  public static DiagnosticException error(String code, String message, Location location) {
    return new DiagnosticException(Diagnostic.error(code, message, location));
  }

  /** Returns what is wrong, in the order of detection. */
  public ImmutableList<Diagnostic> diagnostics() {
    return diagnostics;
  }

  private static String render(ImmutableList<Diagnostic> diagnostics) {
    return diagnostics.stream().map(Diagnostic::toString).collect(Collectors.joining("\n"));
  }
}
