package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.op.MlirAssembly;
import dev.lockstep.hlo.op.MlirAssembly.Element;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.List;

/**
 * Reads an operation by its assembly format, calling the generated parser's rules for attributes,
 * types and regions.
 */
final class FormatReader {
  private final MlirText parser;
  private final TokenRing ring;
  private final TextReader texts;
  private final CustomReader customs;

  /** Whether the comma of the next literal was already taken while looking for operands. */
  private boolean commaTaken;

  FormatReader(MlirText parser, TokenRing ring, TextReader texts) {
    this.parser = parser;
    this.ring = ring;
    this.texts = texts;
    this.customs = new CustomReader(parser, this, ring, texts);
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
    if (eatWord(element.text())) {
      expect(MlirText.EQ);
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

  // Types.

  void types(MlirAssembly.Signature signature) {
    OpState state = parser.state();
    switch (signature) {
      case FN -> {
        expect(MlirText.COLON);
        parser.signature();
        parser.checkOperands(state);
      }
      case SAME -> {
        expect(MlirText.COLON);
        Type type = parser.type().value;
        if (!function(type, state)) {
          all(type, state);
          state.resultTypes.add(type);
        }
        parser.checkOperands(state);
      }
      case COMPLEX -> complex(state);
      case SELECT -> select(state);
      case PAIRS -> {
        if (eat(MlirText.COLON)) {
          list(state.operandTypes);
        }
        state.resultTypes.addAll(state.operandTypes);
        parser.checkOperands(state);
      }
      case OPERANDS -> {
        expect(MlirText.COLON);
        list(state.operandTypes);
        parser.checkOperands(state);
      }
      case ALL -> {
        expect(MlirText.COLON);
        Type type = parser.type().value;
        all(type, state);
        named(type, state);
        parser.checkOperands(state);
      }
      case RESULTS -> {
        expect(MlirText.COLON);
        list(state.resultTypes);
        parser.checkOperands(state);
      }
      case TUPLE -> tuple(state);
      case ARROW -> arrow(state, false);
      case TO -> arrow(state, true);
    }
  }

  /** Adds one result of {@code type} when the operation has names for results. */
  private static void named(Type type, OpState state) {
    if (!state.results.isEmpty()) {
      state.resultTypes.add(type);
    }
  }

  private static void all(Type type, OpState state) {
    for (int i = 0; i < state.operands.size(); i++) {
      state.operandTypes.add(type);
    }
  }

  private static boolean function(Type type, OpState state) {
    if (!(type instanceof FunctionType)) {
      return false;
    }
    state.operandTypes.addAll(((FunctionType) type).inputs());
    state.resultTypes.addAll(((FunctionType) type).results());
    return true;
  }

  private void list(List<Type> out) {
    if (next() == MlirText.LPAREN) {
      // An empty list is written ().
      Type type = emptyOrFunction();
      if (type == null) {
        return;
      }
      out.add(type);
    } else {
      out.add(parser.type().value);
    }
    while (eat(MlirText.COMMA)) {
      out.add(parser.type().value);
    }
  }

  private @org.jspecify.annotations.Nullable Type emptyOrFunction() {
    ring.consume();
    if (eat(MlirText.RPAREN)) {
      return null;
    }
    throw parser.unexpected("')'");
  }

  private void complex(OpState state) {
    expect(MlirText.COLON);
    Type type = parser.type().value;
    if (!function(type, state)) {
      if (!(type instanceof TensorType) || !((TensorType) type).element().isComplex()) {
        throw error("complex-type", "expected tensor with complex element type, got " + type);
      }
      TensorType tensor = (TensorType) type;
      all(tensor.withElement(tensor.element().realPart()), state);
      state.resultTypes.add(type);
    }
    parser.checkOperands(state);
  }

  private void select(OpState state) {
    expect(MlirText.COLON);
    Type type = parser.type().value;
    if (!function(type, state)) {
      expect(MlirText.COMMA);
      Type rest = parser.type().value;
      state.operandTypes.add(type);
      for (int i = 1; i < state.operands.size(); i++) {
        state.operandTypes.add(rest);
      }
      state.resultTypes.add(rest);
    }
    parser.checkOperands(state);
  }

  private void tuple(OpState state) {
    expect(MlirText.COLON);
    Type type = parser.type().value;
    if (!function(type, state)) {
      if (!(type instanceof TupleType)) {
        throw error("tuple-type", "expected tuple type, got " + type);
      }
      state.operandTypes.addAll(((TupleType) type).elements());
      state.resultTypes.add(type);
    }
    parser.checkOperands(state);
  }

  private void arrow(OpState state, boolean isWord) {
    expect(MlirText.COLON);
    Type first = null;
    if (next() == MlirText.LPAREN) {
      Type whole = parser.type().value;
      if (function(whole, state)) {
        parser.checkOperands(state);
        return;
      }
      first = whole;
    }
    state.operandTypes.add(first == null ? parser.type().value : first);
    while (eat(MlirText.COMMA)) {
      state.operandTypes.add(parser.type().value);
    }
    if (isWord) {
      expectWord("to");
    } else {
      expect(MlirText.ARROW);
    }
    parser.resultTypes();
    parser.checkOperands(state);
  }

  DiagnosticException error(String code, String message) {
    return parser.error(code, message, parser.previous());
  }
}
