package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Location;
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

/** Reads the forms of operations that hold bodies: reductions, loops, and regions of devices. */
final class BodyReader {
  private final MlirText parser;
  private final FormatReader format;
  private final TokenRing ring;
  private final TextReader texts;

  /** The scope before the arguments of the region that is read next. */
  private int regionMark;

  BodyReader(MlirText parser, FormatReader format, TokenRing ring, TextReader texts) {
    this.parser = parser;
    this.format = format;
    this.ring = ring;
    this.texts = texts;
  }

  void reduce() {
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
    tokens.add(valueName());
    format.expect(MlirText.COLON);
    types.add(parser.type().value);
    if (format.next() == MlirText.LOC) {
      locations.add(texts.locations().of(ring.current()));
      ring.consume();
    }
  }

  /** Reads a value's name and returns it, as the ring will use its token again. */
  private Tok valueName() {
    if (format.next() != MlirText.VALUE) {
      throw parser.unexpected("SSA operand");
    }
    Tok copy = new Tok();
    copy.begin = ring.current().begin;
    copy.end = ring.current().end;
    copy.sym = ring.current().sym;
    ring.consume();
    return copy;
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

  void whileLoop() {
    OpState state = parser.state();
    List<Tok> names = new ArrayList<>();
    format.expect(MlirText.LPAREN);
    if (format.next() != MlirText.RPAREN) {
      do {
        names.add(valueName());
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

  void manual() {
    format.expect(MlirText.LPAREN);
    format.operands();
    format.expect(MlirText.RPAREN);
    format.expectWord("in_shardings");
    format.expect(MlirText.EQ);
    format.put(
        "in_shardings", new Attribute.Raw("#sdy.sharding_per_value<" + format.bracket() + ">"));
    format.expectWord("out_shardings");
    format.expect(MlirText.EQ);
    format.put(
        "out_shardings", new Attribute.Raw("#sdy.sharding_per_value<" + format.bracket() + ">"));
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
  void computation() {
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
        format.put(key, new Attribute.Raw("#sdy.sharding_per_value<" + format.bracket() + ">"));
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
  void scan() {
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
