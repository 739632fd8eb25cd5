package dev.lockstep.pass.region.diff;

/** In what two programs differ at one place. */
public enum DifferenceKind {
  /** What the compiler is told in the header. */
  COMPILE_OPTIONS("compile options"),
  /** The value of a constant. */
  LITERAL("literal"),
  /** Who meets. */
  GROUP("group"),
  /** Sizes of a tensor. */
  SHAPE("shape"),
  /** The element type of a tensor. */
  TYPE("type"),
  /** An attribute of an operation. */
  ATTRIBUTE("attribute"),
  /** Which value an operation uses. */
  OPERAND("operand"),
  /** The same operation stands elsewhere. */
  ORDER("order"),
  /** An operation that the reference does not have. */
  EXTRA_OP("extra op"),
  /** An operation that only the reference has. */
  MISSING_OP("missing op"),
  /** A place to meet that the reference does not have. */
  EXTRA_COLLECTIVE("extra collective"),
  /** A place to meet that only the reference has. */
  MISSING_COLLECTIVE("missing collective"),
  /** One rank runs more programs than the other. */
  PROGRAMS("number of programs"),
  /** One text is HLO, the other StableHLO. */
  SYNTAX("syntax");

  private final String word;

  DifferenceKind(String word) {
    this.word = word;
  }

  /** Returns the kind in words. */
  public String word() {
    return word;
  }
}
