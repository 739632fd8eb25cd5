package dev.lockstep.hlo.text.mlir;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.MlirAssembly;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.List;

/** Reads the forms that are not made of the general elements and hold no bodies. */
final class CustomReader {
  private final MlirText parser;
  private final FormatReader format;
  private final TokenRing ring;
  private final TextReader texts;
  private final BodyReader bodies;

  CustomReader(MlirText parser, FormatReader format, TokenRing ring, TextReader texts) {
    this.parser = parser;
    this.format = format;
    this.ring = ring;
    this.texts = texts;
    this.bodies = new BodyReader(parser, format, ring, texts);
  }

  void read(MlirAssembly.Custom custom) {
    switch (custom) {
      case TARGET -> target();
      case LITERAL -> literal();
      case SLICE -> slice();
      case DOT -> dot();
      case CONVOLUTION -> convolution();
      case REDUCE -> bodies.reduce();
      case WHILE -> bodies.whileLoop();
      case FORMAT -> precisionFormat();
      case CALL -> call();
      case RETURN -> returned();
      case MESH -> mesh();
      case MANUAL -> bodies.manual();
      case NAMED -> named();
      case SCAN -> bodies.scan();
      case COMPUTATION -> bodies.computation();
    }
  }

  private void target() {
    format.expect(MlirText.SYMBOL);
    format.put("call_target_name", Attribute.Str.of(parser.symbolText(parser.previous())));
    format.expect(MlirText.LPAREN);
    format.operands();
    format.expect(MlirText.RPAREN);
  }

  private void named() {
    if (format.next() != MlirText.STRING) {
      throw parser.unexpected("string");
    }
    format.put("name", texts.unquote(format.take()));
    format.operands();
    if (format.eat(MlirText.LPAREN)) {
      do {
        parser.region();
      } while (format.eat(MlirText.COMMA));
      format.expect(MlirText.RPAREN);
    }
  }

  private void literal() {
    if (format.next() == MlirText.LPAREN) {
      // Where the value's type is not the result's, only the name differs from the generic form.
      parser.generic();
      return;
    }
    format.dictionary();
    int at = ring.current().begin;
    Attribute value = parser.attribute().value;
    if (value instanceof Attribute.Dense) {
      parser.state().resultTypes.add(((Attribute.Dense) value).type());
    } else if (value instanceof Attribute.Raw) {
      String text = ((Attribute.Raw) value).text();
      int colon = text.lastIndexOf(" : ");
      if (colon < 0) {
        throw parser.error("syntax", "expected elements attribute", at, parser.previous().end);
      }
      Source type = Source.of(texts.source().name(), text.substring(colon + 3));
      parser.state().resultTypes.add(texts.types().read(new Cursor(type, 0, type.length())));
    } else {
      // A registered op's literal is always elements; foreign ones have forms that are not read.
      OpDef def = parser.state().def;
      boolean foreign = def == null || def.has(Trait.UNREGISTERED);
      throw parser.error(
          foreign ? "unknown-op" : "syntax",
          "expected elements attribute",
          at,
          parser.previous().end);
    }
    format.put("value", value);
  }

  private void slice() {
    format.expect(MlirText.LBRACK);
    ImmutableLongArray.Builder starts = ImmutableLongArray.builder();
    ImmutableLongArray.Builder limits = ImmutableLongArray.builder();
    ImmutableLongArray.Builder strides = ImmutableLongArray.builder();
    if (format.next() != MlirText.RBRACK) {
      do {
        starts.add(format.integer());
        format.expect(MlirText.COLON);
        limits.add(format.integer());
        strides.add(format.eat(MlirText.COLON) ? format.integer() : 1);
      } while (format.eat(MlirText.COMMA));
    }
    format.expect(MlirText.RBRACK);
    format.put("start_indices", new Attribute.Longs(starts.build(), ElementType.I64));
    format.put("limit_indices", new Attribute.Longs(limits.build(), ElementType.I64));
    format.put("strides", new Attribute.Longs(strides.build(), ElementType.I64));
  }

  private void dot() {
    Attributes.Builder numbers = Attributes.builder();
    boolean comma = format.eat(MlirText.COMMA);
    if (comma && format.eatWord("batching_dims")) {
      pair(numbers, "lhs_batching_dimensions", "rhs_batching_dimensions");
      format.expect(MlirText.COMMA);
    }
    if (!comma) {
      throw parser.unexpected("','");
    }
    format.expectWord("contracting_dims");
    pair(numbers, "lhs_contracting_dimensions", "rhs_contracting_dimensions");
    format.put("dot_dimension_numbers", new Attribute.Struct("stablehlo.dot", numbers.build()));
    boolean precision = false;
    while (format.eat(MlirText.COMMA)) {
      if (!precision && format.eatWord("precision")) {
        format.expect(MlirText.EQ);
        format.put("precision_config", format.words("stablehlo.precision"));
        precision = true;
      } else {
        format.expectWord("algorithm");
        format.expect(MlirText.EQ);
        if (format.next() != MlirText.LESS) {
          throw parser.unexpected("'<'");
        }
        ring.extend();
        Tok token = ring.current();
        Cursor cursor = new Cursor(texts.source(), token.begin, token.end);
        format.put("algorithm", new DialectReader(texts).struct("stablehlo.dot_algorithm", cursor));
        ring.consume();
        return;
      }
    }
  }

  private void pair(Attributes.Builder out, String left, String right) {
    format.expect(MlirText.EQ);
    Attribute.Longs lhs = format.longs();
    format.expectWord("x");
    Attribute.Longs rhs = format.longs();
    if (!lhs.values().isEmpty()) {
      out.put(left, lhs);
    }
    if (!rhs.values().isEmpty()) {
      out.put(right, rhs);
    }
  }

  private void convolution() {
    format.expect(MlirText.LPAREN);
    format.operand();
    format.expect(MlirText.COMMA);
    format.operand();
    format.expect(MlirText.RPAREN);
    format.expectWord("dim_numbers");
    format.expect(MlirText.EQ);
    StringBuilder labels = new StringBuilder("#stablehlo.conv<");
    labels.append(format.bracket());
    format.expectWord("x");
    labels.append('x').append(format.bracket());
    format.expect(MlirText.ARROW);
    labels.append("->").append(format.bracket()).append('>');
    String wrong =
        ConvolutionText.wrong(labels.substring(labels.indexOf("<") + 1, labels.length() - 1));
    if (wrong != null) {
      throw format.error("syntax", wrong);
    }
    format.put("dimension_numbers", new Attribute.Raw(labels.toString()));
    format.expect(MlirText.COMMA);
    format.expectWord("window");
    format.expect(MlirText.EQ);
    format.expect(MlirText.LBRACE);
    while (format.next() != MlirText.RBRACE) {
      window(format.anyWord("a window attribute"));
      if (!format.eat(MlirText.COMMA)) {
        break;
      }
    }
    format.expect(MlirText.RBRACE);
  }

  private void window(String key) {
    format.expect(MlirText.EQ);
    switch (key) {
      case "stride" -> format.put("window_strides", format.longs());
      case "lhs_dilate" -> format.put("lhs_dilation", format.longs());
      case "rhs_dilate" -> format.put("rhs_dilation", format.longs());
      case "reverse" -> format.put("window_reversal", format.bools());
      case "pad" -> {
        format.expect(MlirText.LBRACK);
        List<Long> values = new ArrayList<>();
        if (format.next() != MlirText.RBRACK) {
          do {
            Attribute.Longs pair = format.longs();
            if (pair.values().length() != 2) {
              throw format.error("syntax", "expected two numbers for each padded dimension");
            }
            values.add(pair.values().get(0));
            values.add(pair.values().get(1));
          } while (format.eat(MlirText.COMMA));
        }
        format.expect(MlirText.RBRACK);
        LiteralBuilder out =
            new LiteralBuilder(TensorType.of(ElementType.I64, values.size() / 2, 2));
        for (int i = 0; i < values.size(); i++) {
          out.setLong(i, values.get(i));
        }
        format.put("padding", Attribute.Dense.of(out.build()));
      }
      default -> throw format.error("syntax", "unexpected window attribute '" + key + "'");
    }
  }

  private void precisionFormat() {
    String word = format.anyWord("a format such as e5m10");
    int m = word.indexOf('m');
    try {
      if (!word.startsWith("e") || m < 0) {
        throw new NumberFormatException(word);
      }
      format.put("exponent_bits", Attribute.Int.i32(Integer.parseInt(word.substring(1, m))));
      format.put("mantissa_bits", Attribute.Int.i32(Integer.parseInt(word.substring(m + 1))));
    } catch (NumberFormatException e) {
      throw format.error("syntax", "expected exponent mantissa in format e#m#, got " + word);
    }
  }

  private void call() {
    if (format.next() != MlirText.SYMBOL) {
      throw parser.unexpected("symbol name");
    }
    format.put("callee", parser.attribute().value);
    format.expect(MlirText.LPAREN);
    format.operands();
    format.expect(MlirText.RPAREN);
    format.dictionary();
    format.types(MlirAssembly.Signature.FN);
  }

  private void returned() {
    format.operands();
    format.dictionary();
    if (!parser.state().operands.isEmpty()) {
      format.types(MlirAssembly.Signature.OPERANDS);
    }
  }

  private void mesh() {
    format.expect(MlirText.SYMBOL);
    format.put("sym_name", Attribute.Str.of(parser.symbolText(parser.previous())));
    format.expect(MlirText.EQ);
    if (format.next() == MlirText.ATTR) {
      format.put("mesh", parser.attribute().value);
      format.dictionary();
      return;
    }
    if (format.next() != MlirText.LESS) {
      throw parser.unexpected("'<'");
    }
    ring.extend();
    format.put("mesh", new Attribute.Raw("#sdy.mesh" + Spacing.tight(format.take())));
    format.dictionary();
  }
}
