package dev.lockstep.hlo.diag;

import com.google.common.collect.ImmutableList;

/**
 * One thing that is wrong with what a user gave us.
 *
 * @param severity how bad it is
 * @param code stable identifier, kebab-case or a specification label such as {@code all_gather-c1}
 * @param message lower case, no full stop; says got and expected with the numbers
 * @param location the range to underline
 * @param notes further places
 */
public record Diagnostic(
    Severity severity, String code, String message, Location location, ImmutableList<Note> notes) {

  /** Returns an error without notes. */
  public static Diagnostic error(String code, String message, Location location) {
    return new Diagnostic(Severity.ERROR, code, message, location, ImmutableList.of());
  }

  /** Returns a warning without notes. */
  public static Diagnostic warning(String code, String message, Location location) {
    return new Diagnostic(Severity.WARNING, code, message, location, ImmutableList.of());
  }

  /** Returns this diagnostic with one more note at its end. */
  public Diagnostic withNote(String noteMessage, Location where) {
    return new Diagnostic(
        severity,
        code,
        message,
        location,
        ImmutableList.<Note>builder().addAll(notes).add(new Note(noteMessage, where)).build());
  }

  /** Returns the text that a user sees; see {@link DiagnosticRenderer}. */
  @Override
  public String toString() {
    return DiagnosticRenderer.render(this);
  }
}
