package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.MlirAssembly;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.OpSet;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.List;

/** Reads the forms that are not made of the general elements. */
final class CustomReader {
  private final MlirText parser;
  private final FormatReader format;
  private final TokenRing ring;
  private final TextReader texts;

  CustomReader(MlirText parser, FormatReader format, TokenRing ring, TextReader texts) {
    this.parser = parser;
    this.format = format;
    this.ring = ring;
    this.texts = texts;
  }

  void read(MlirAssembly.Custom custom) {
    switch (custom) {
      case TARGET -> target();
      case LITERAL -> literal();
      case SLICE -> slice();
      case DOT -> dot();
      case CONVOLUTION -> convolution();
      case REDUCE -> reduce();
      case WHILE -> whileLoop();
      case FORMAT -> precisionFormat();
      case CALL -> call();
      case RETURN -> returned();
      case MESH -> mesh();
      case MANUAL -> manual();
      case NAMED -> named();
      case SCAN -> scan();
      case COMPUTATION -> computation();
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
    labels.append(bracket());
    format.expectWord("x");
    labels.append('x').append(bracket());
    format.expect(MlirText.ARROW);
    labels.append("->").append(bracket()).append('>');
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

  private String bracket() {
    if (format.next() != MlirText.LBRACK) {
      throw parser.unexpected("'['");
    }
    ring.extend();
    return Spacing.tight(format.take());
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
        dev.lockstep.hlo.literal.LiteralBuilder out =
            new dev.lockstep.hlo.literal.LiteralBuilder(
                TensorType.of(ElementType.I64, values.size() / 2, 2));
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

  // Reduce.

  private void reduce() {
    OpState state = parser.state();
    List<Value> inits = new ArrayList<>();
    List<Integer> initBegins = new ArrayList<>();
    format.expect(MlirText.LPAREN);
    while (true) {
      format.operand();
      format.expectWord("init");
      format.expect(MlirText.COLON);
      format.operand();
      inits.add(state.operands.remove(state.operands.size() - 1));
      initBegins.add(state.operandBegins.remove(state.operandBegins.size() - 1));
      format.expect(MlirText.RPAREN);
      if (!format.eat(MlirText.COMMA)) {
        break;
      }
      format.expect(MlirText.LPAREN);
    }
    state.operands.addAll(inits);
    state.operandBegins.addAll(initBegins);
    String applied = "";
    int appliedBegin = ring.current().begin;
    if (format.eatWord("applies")) {
      appliedBegin = ring.current().begin;
      applied = format.anyWord("an operation name");
    }
    int appliedEnd = parser.previous().end;
    format.expectWord("across");
    format.expectWord("dimensions");
    format.expect(MlirText.EQ);
    format.put("dimensions", format.longs());
    format.dictionary();
    format.types(MlirAssembly.Signature.FN);
    if (!applied.isEmpty()) {
      applied(applied, appliedBegin, appliedEnd, inits);
    } else {
      format.expectWord("reducer");
      reducer(inits.size());
    }
  }

  /** Makes the body that {@code applies op} stands for. */
  private void applied(String name, int begin, int end, List<Value> inits) {
    OpDef def = OpSet.standard().byNameOrUnregistered(name);
    boolean folds = def.has(Trait.COMMUTATIVE) || def.has(Trait.UNREGISTERED);
    if (inits.size() != 1 || MlirAssembly.named(name) == null || !folds) {
      throw parser.error(
          "reduce",
          "expected the name of a commutative operation on two values, got " + name,
          begin,
          end);
    }
    Type init = inits.get(0).type();
    Type element = init instanceof TensorType ? TensorType.of(((TensorType) init).element()) : init;
    Location place = new Location(texts.source(), begin, end);
    Value left = new Value(element);
    Value right = new Value(element);
    Value result = new Value(element);
    Operation operation =
        new Operation(
            def,
            ImmutableList.of(left, right),
            ImmutableList.of(result),
            Attributes.EMPTY,
            ImmutableList.of(),
            place,
            null);
    Operation back =
        new Operation(
            OpSet.standard().byNameOrUnregistered(dialect(name) + ".return"),
            ImmutableList.of(result),
            ImmutableList.of(),
            Attributes.EMPTY,
            ImmutableList.of(),
            place,
            null);
    parser
        .state()
        .regions
        .add(Region.of(Block.of(ImmutableList.of(left, right), ImmutableList.of(operation, back))));
  }

  private static String dialect(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  /**
   * Reads {@code (%a: T, %b: T) (%c: U, %d: U) {...}}: arguments come in pairs, sides alternate.
   */
  private void reducer(int pairs) {
    OpState state = parser.state();
    List<Tok> tokens = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    List<Attribute> locations = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      format.expect(MlirText.LPAREN);
      for (int side = 0; side < 2; side++) {
        if (side == 1) {
          format.expect(MlirText.COMMA);
        }
        argument(tokens, types, locations);
      }
      format.expect(MlirText.RPAREN);
    }
    regionMark = parser.scopes().mark();
    for (int side = 0; side < 2; side++) {
      for (int i = 0; i < pairs; i++) {
        parameter(state, tokens.get(2 * i + side), types.get(2 * i + side));
        if (locations.size() == 2 * pairs) {
          state.parameterLocations.set(
              state.parameterLocations.size() - 1, locations.get(2 * i + side));
        }
      }
    }
    region();
  }

  private void argument(List<Tok> tokens, List<Type> types, List<Attribute> locations) {
    if (format.next() != MlirText.VALUE) {
      throw parser.unexpected("SSA operand");
    }
    Tok copy = new Tok();
    copy.begin = ring.current().begin;
    copy.end = ring.current().end;
    copy.sym = ring.current().sym;
    tokens.add(copy);
    ring.consume();
    format.expect(MlirText.COLON);
    types.add(parser.type().value);
    if (format.next() == MlirText.LOC) {
      locations.add(texts.locations().of(ring.current()));
      ring.consume();
    }
  }

  private void parameter(OpState state, Tok name, Type type) {
    state.parameters.add(parser.defineAt(name, type));
    state.parameterLocations.add(null);
  }

  /** Reads a region whose arguments were defined, and forgets them. */
  private void region() {
    int mark = regionMark;
    parser.region();
    OpState state = parser.state();
    state.parameters.clear();
    state.parameterLocations.clear();
    parser.scopes().restore(mark, parser.scopes().current());
    regionMark = parser.scopes().mark();
  }

  private int regionMark;

  // While.

  private void whileLoop() {
    OpState state = parser.state();
    List<Tok> names = new ArrayList<>();
    format.expect(MlirText.LPAREN);
    if (format.next() != MlirText.RPAREN) {
      do {
        if (format.next() != MlirText.VALUE) {
          throw parser.unexpected("SSA operand");
        }
        Tok copy = new Tok();
        copy.begin = ring.current().begin;
        copy.end = ring.current().end;
        copy.sym = ring.current().sym;
        names.add(copy);
        ring.consume();
        format.expect(MlirText.EQ);
        format.operand();
      } while (format.eat(MlirText.COMMA));
    }
    format.expect(MlirText.RPAREN);
    if (!names.isEmpty()) {
      format.types(MlirAssembly.Signature.OPERANDS);
      state.resultTypes.addAll(state.operandTypes);
    }
    if (format.eatWord("attributes")) {
      format.dictionary();
    }
    format.expectWord("cond");
    body(names);
    format.expectWord("do");
    body(names);
  }

  private void body(List<Tok> names) {
    OpState state = parser.state();
    regionMark = parser.scopes().mark();
    for (int i = 0; i < names.size(); i++) {
      parameter(state, names.get(i), state.operandTypes.get(i));
    }
    region();
  }

  // Shardy.

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

  private void manual() {
    format.expect(MlirText.LPAREN);
    format.operands();
    format.expect(MlirText.RPAREN);
    format.expectWord("in_shardings");
    format.expect(MlirText.EQ);
    format.put("in_shardings", new Attribute.Raw("#sdy.sharding_per_value<" + bracket() + ">"));
    format.expectWord("out_shardings");
    format.expect(MlirText.EQ);
    format.put("out_shardings", new Attribute.Raw("#sdy.sharding_per_value<" + bracket() + ">"));
    format.expectWord("manual_axes");
    format.expect(MlirText.EQ);
    if (format.next() != MlirText.LBRACE) {
      throw parser.unexpected("'{'");
    }
    ring.extend();
    format.put(
        "manual_axes", new Attribute.Raw("#sdy<manual_axes" + Spacing.tight(format.take()) + ">"));
    regionWithArguments();
  }

  /** Reads {@code <"name">(%a) in_shardings=[...] out_shardings=[...] (%b: T) {...}}. */
  private void computation() {
    format.expect(MlirText.LESS);
    if (format.next() != MlirText.STRING) {
      throw parser.unexpected("string");
    }
    format.put("name", texts.unquote(format.take()));
    format.expect(MlirText.GREATER);
    format.expect(MlirText.LPAREN);
    format.operands();
    format.expect(MlirText.RPAREN);
    for (String key : new String[] {"in_shardings", "out_shardings"}) {
      if (format.eatWord(key)) {
        format.expect(MlirText.EQ);
        format.put(key, new Attribute.Raw("#sdy.sharding_per_value<" + bracket() + ">"));
      }
    }
    regionWithArguments();
  }

  /** Reads arguments, a region and the types behind it. */
  private void regionWithArguments() {
    OpState state = parser.state();
    regionMark = parser.scopes().mark();
    List<Tok> tokens = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    List<Attribute> locations = new ArrayList<>();
    format.expect(MlirText.LPAREN);
    if (format.next() != MlirText.RPAREN) {
      do {
        argument(tokens, types, locations);
      } while (format.eat(MlirText.COMMA));
    }
    format.expect(MlirText.RPAREN);
    for (int i = 0; i < tokens.size(); i++) {
      parameter(state, tokens.get(i), types.get(i));
      if (locations.size() == tokens.size()) {
        state.parameterLocations.set(i, locations.get(i));
      }
    }
    region();
    format.dictionary();
    format.types(MlirAssembly.Signature.FN);
  }

  /** Reads {@code (%a) inits (%b) dimension = 0 {^bb0...} : (T, U) -> V}. */
  private void scan() {
    OpState state = parser.state();
    format.expect(MlirText.LPAREN);
    format.operands();
    format.expect(MlirText.RPAREN);
    int inputs = state.operands.size();
    format.expectWord("inits");
    format.expect(MlirText.LPAREN);
    format.operands();
    format.expect(MlirText.RPAREN);
    format.put(
        "operandSegmentSizes",
        new Attribute.Longs(
            ImmutableLongArray.of(inputs, state.operands.size() - inputs), ElementType.I32));
    format.expectWord("dimension");
    format.expect(MlirText.EQ);
    format.put("dimension", Attribute.Int.i64(format.integer()));
    if (format.eatWord("attributes")) {
      format.dictionary();
    }
    parser.region();
    format.dictionary();
    format.types(MlirAssembly.Signature.FN);
  }
}
