package dev.lockstep.hlo.text.hlo;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.Type;

/** Parts of HLO text for those who have to do with parts: the readers and writers of protos. */
public final class HloFragments {
  private HloFragments() {}

  /** Appends {@code string} in double quotes, escaped as XLA does. */
  public static void quoted(StringBuilder out, Attribute.Str string) {
    Strings.write(out, string);
  }

  /**
   * Returns the string that {@code text}, with its quotes, stands for.
   *
   * @throws DiagnosticException if it is no string
   */
  public static Attribute.Str string(String text) {
    Source source = Source.of("string", text);
    return Strings.read(new Cursor(source).over(0, source.length()));
  }

  /** Appends the values of {@code literal} without its shape. */
  public static void literal(StringBuilder out, Literal literal) {
    LiteralPrinter.print(out, literal);
  }

  /**
   * Returns the shape that {@code text} names.
   *
   * @throws DiagnosticException if it is none
   */
  public static Type type(String text) {
    Source source = Source.of("shape", text);
    Cursor in = new Cursor(source).over(0, source.length());
    Type type = new TypeReader(in).read();
    in.expectEnd();
    return type;
  }
}
