package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;

/** Single attributes in MLIR's syntax, where other texts embed them. */
public final class MlirAttributes {
  private MlirAttributes() {}

  /**
   * Returns the attribute that {@code source} holds.
   *
   * @throws DiagnosticException if the text is no attribute, with places in {@code source}
   */
  public static Attribute read(Source source) {
    Utf8.check(source);
    MlirLexer lexer = new MlirLexer(source, source.length(), new Symbols(source.bytes()));
    MlirText parser = new MlirText(new TokenRing(lexer));
    parser.setBuildParseTree(false);
    parser.removeErrorListeners();
    parser.setErrorHandler(new PointingErrors(source));
    Attribute value = parser.attribute().value;
    parser.match(MlirText.EOF);
    return value;
  }

  /** Appends {@code dictionary} with its entries as they were read, where MLIR would sort them. */
  public static void writeInOrder(StringBuilder out, Attribute.Dict dictionary) {
    AttributeWriter writer = new AttributeWriter(out, new LocationAliases());
    out.append('{');
    Attributes entries = dictionary.entries();
    for (int i = 0; i < entries.size(); i++) {
      out.append(i == 0 ? "" : ", ");
      if (AttributeWriter.isBare(entries.name(i))) {
        out.append(entries.name(i));
      } else {
        AttributeWriter.quote(out, Attribute.Str.of(entries.name(i)));
      }
      if (!(entries.value(i) instanceof Attribute.Unit)) {
        out.append(" = ");
        writer.write(entries.value(i));
      }
    }
    out.append('}');
  }
}
