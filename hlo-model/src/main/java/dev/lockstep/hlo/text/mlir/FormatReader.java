package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.op.MlirAssembly;
import dev.lockstep.hlo.op.MlirAssembly.Element;
import dev.lockstep.hlo.type.ElementType;

/**
 * Reads an operation by its assembly format, calling the generated parser's rules for attributes,
 * types and regions.
 */
final class FormatReader {
  private final MlirText parser;
  private final TokenRing ring;
  private final TextReader texts;
  private final CustomReader customs;
  private final SignatureReader signatures;

  /** Whether the comma of the next literal was already taken while looking for operands. */
  private boolean commaTaken;

  FormatReader(MlirText parser, TokenRing ring, TextReader texts) {
    this.parser = parser;
    this.ring = ring;
    this.texts = texts;
    this.customs = new CustomReader(parser, this, ring, texts);
    this.signatures = new SignatureReader(parser, this, ring);
  }

  void read(MlirAssembly assembly) {
    commaTaken = false;
    ImmutableList<Element> elements = assembly.elements();
    for (int i = 0; i < elements.size(); i++) {
      Element element = elements.get(i);
      switch (element.kind()) {
        case LITERAL -> literal(element.text());
        case OPERANDS -> operands();
        case OPERAND -> operand();
        case ATTRIBUTE -> attribute(element);
        case OPTIONAL -> optional(element);
        case LABELLED -> labelled(element);
        case DICTIONARY -> dictionary();
        case TYPES -> types(element.signature());
        case CUSTOM -> customs.read(element.custom());
      }
    }
  }

  // Tokens.

  int next() {
    return ring.current().type;
  }

  boolean eat(int type) {
    if (next() != type) {
      return false;
    }
    ring.consume();
    return true;
  }

  void expect(int type) {
    if (!eat(type)) {
      throw parser.unexpected(PointingErrors.name(type));
    }
  }

  String nextWord() {
    Tok token = ring.current();
    return token.type == MlirText.WORD ? OperationActions.sym(token).text : "";
  }

  boolean eatWord(String word) {
    if (!nextWord().equals(word)) {
      return false;
    }
    ring.consume();
    return true;
  }

  void expectWord(String word) {
    if (!eatWord(word)) {
      throw parser.unexpected("'" + word + "'");
    }
  }

  String anyWord(String what) {
    String word = nextWord();
    if (word.isEmpty()) {
      throw parser.unexpected(what);
    }
    ring.consume();
    return word;
  }

  void literal(String text) {
    switch (text) {
      case "," -> {
        if (commaTaken) {
          commaTaken = false;
        } else {
          expect(MlirText.COMMA);
        }
      }
      case "=" -> expect(MlirText.EQ);
      case "(" -> expect(MlirText.LPAREN);
      case ")" -> expect(MlirText.RPAREN);
      case "[" -> expect(MlirText.LBRACK);
      case "]" -> expect(MlirText.RBRACK);
      default -> {
        boolean equals = text.length() > 1 && text.endsWith("=");
        expectWord(equals ? text.substring(0, text.length() - 1) : text);
        if (equals) {
          expect(MlirText.EQ);
        }
      }
    }
  }

  void operands() {
    if (next() != MlirText.VALUE) {
      return;
    }
    operand();
    while (eat(MlirText.COMMA)) {
      if (next() != MlirText.VALUE) {
        commaTaken = true;
        return;
      }
      operand();
    }
  }

  void operand() {
    expect(MlirText.VALUE);
    parser.operand();
  }

  void dictionary() {
    if (next() == MlirText.LBRACE) {
      parser.attributes();
    }
  }

  // Attributes.

  private void optional(Element element) {
    if (!commaTaken && !eat(MlirText.COMMA)) {
      return;
    }
    commaTaken = false;
    if (!element.text().isEmpty()) {
      if (!nextWord().equals(element.text())) {
        // The comma belongs to a later element, or is wrong.
        commaTaken = true;
        return;
      }
      ring.consume();
      expect(MlirText.EQ);
    }
    attribute(element);
  }

  private void labelled(Element element) {
    if (element.text().isEmpty() ? !nextWord().isEmpty() : eatWord(element.text())) {
      if (!element.text().isEmpty()) {
        expect(MlirText.EQ);
      }
      attribute(element);
    }
  }

  private void attribute(Element element) {
    put(element.attribute(), value(element));
  }

  void put(String name, Attribute value) {
    OpState state = parser.state();
    if (state.attributes.has(name)) {
      throw parser.error(
          "duplicate-attribute", "attribute '" + name + "' is given twice", parser.previous());
    }
    state.attributes.put(name, value);
  }

  private Attribute value(Element element) {
    return switch (element.value()) {
      case LONGS -> longs();
      case BOOLS -> bools();
      case INT -> Attribute.Int.i64(integer());
      case WORD -> new Attribute.Word(element.detail(), anyWord("a word"));
      case WORDS -> words(element.detail());
      case ATTR -> parser.attribute().value;
      case BARE -> bare(element.detail());
      case BODY -> {
        if (next() != MlirText.LESS) {
          throw parser.unexpected("'<'");
        }
        ring.extend();
        yield new Attribute.Raw(element.detail() + Spacing.tight(take()));
      }
      case WRAPPED -> {
        int next = next();
        if (next != MlirText.LBRACE && next != MlirText.LBRACK) {
          throw parser.unexpected("'{' or '['");
        }
        ring.extend();
        yield new Attribute.Raw(element.detail() + Spacing.tight(take()) + ">");
      }
    };
  }

  /** Consumes {@code [...]} and returns it without blanks. */
  String bracket() {
    if (next() != MlirText.LBRACK) {
      throw parser.unexpected("'['");
    }
    ring.extend();
    return Spacing.tight(take());
  }

  /** Consumes the next token and returns its text. */
  String take() {
    String text = OperationActions.sym(ring.current()).text;
    ring.consume();
    return text;
  }

  private Attribute bare(String type) {
    if (next() == MlirText.STRING) {
      return texts.unquote(take());
    }
    if (eatWord("true")) {
      return Attribute.Bool.TRUE;
    }
    if (eatWord("false")) {
      return Attribute.Bool.FALSE;
    }
    if (next() == MlirText.FLOAT) {
      return texts.number(take(), null);
    }
    if (type.equals("ui64")) {
      return new Attribute.Int(integer(ElementType.UI64), ElementType.UI64);
    }
    long value = integer();
    return type.equals("i32") ? Attribute.Int.i32(value) : Attribute.Int.i64(value);
  }

  long integer() {
    return integer(ElementType.I64);
  }

  private long integer(ElementType type) {
    Tok token = ring.current();
    if (token.type != MlirText.NUMBER) {
      throw parser.unexpected("integer");
    }
    try {
      long value = NumberReader.integer(OperationActions.sym(token).text, type);
      ring.consume();
      return value;
    } catch (IllegalArgumentException e) {
      throw parser.error("number", String.valueOf(e.getMessage()), token);
    }
  }

  Attribute.Longs longs() {
    expect(MlirText.LBRACK);
    ImmutableLongArray.Builder out = ImmutableLongArray.builder(4);
    if (next() != MlirText.RBRACK) {
      do {
        out.add(integer());
      } while (eat(MlirText.COMMA));
    }
    expect(MlirText.RBRACK);
    return new Attribute.Longs(out.build(), ElementType.I64);
  }

  Attribute.Longs bools() {
    expect(MlirText.LBRACK);
    ImmutableLongArray.Builder out = ImmutableLongArray.builder(4);
    if (next() != MlirText.RBRACK) {
      do {
        if (next() == MlirText.NUMBER) {
          out.add(integer() != 0 ? 1 : 0);
          continue;
        }
        String word = anyWord("'true' or 'false'");
        out.add(word.equals("true") ? 1 : 0);
        if (!word.equals("true") && !word.equals("false")) {
          throw parser.error("syntax", "expected 'true' or 'false'", parser.previous());
        }
      } while (eat(MlirText.COMMA));
    }
    expect(MlirText.RBRACK);
    return new Attribute.Longs(out.build(), ElementType.I1);
  }

  Attribute words(String kind) {
    expect(MlirText.LBRACK);
    ImmutableList.Builder<Attribute> out = ImmutableList.builder();
    if (next() != MlirText.RBRACK) {
      do {
        out.add(new Attribute.Word(kind, anyWord("a word")));
      } while (eat(MlirText.COMMA));
    }
    expect(MlirText.RBRACK);
    return new Attribute.Array(out.build());
  }

  void types(MlirAssembly.Signature signature) {
    signatures.read(signature);
  }

  DiagnosticException error(String code, String message) {
    return parser.error(code, message, parser.previous());
  }
}
