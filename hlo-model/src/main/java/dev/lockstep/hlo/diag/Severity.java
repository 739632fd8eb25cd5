package dev.lockstep.hlo.diag;

/** How bad a diagnostic is. */
public enum Severity {
  ERROR("error"),
  WARNING("warning"),
  NOTE("note");

  private final String word;

  Severity(String word) {
    this.word = word;
  }

  /** Returns the word that a rendered diagnostic starts with. */
  public String word() {
    return word;
  }
}
