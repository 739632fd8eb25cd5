package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.MlirAssembly;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpSet;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.TokenStream;
import org.jspecify.annotations.Nullable;

/** The actions of the generated parser on operations, regions and functions. */
abstract class OperationActions extends Parser {
  /** Deepest nesting of grammar rules; about a quarter of it is the nesting of regions. */
  private static final int MAX_RULES = 1000;

  private static final int MAX_RESULTS = 1 << 16;

  final TextReader texts;
  final LocationReader locations;
  private final FormatReader formats;
  private final OpSet ops = OpSet.standard();
  private final Scopes scopes;
  private final TokenRing ring;

  private final List<OpState> states = new ArrayList<>();
  private int depth = -1;
  private final List<Blocks> regions = new ArrayList<>();
  private int rules;

  /** Whether names without a dialect are those of functions' bodies. */
  private boolean inFunction;

  OperationActions(TokenStream input) {
    super(input);
    ring = (TokenRing) input;
    Source source = ring.lexer().source();
    texts = new TextReader(source);
    locations = texts.locations();
    scopes = new Scopes(source);
    formats = new FormatReader((MlirText) this, ring, texts);
    regions.add(new Blocks(0, 0, false));
  }

  final Tok current() {
    return ring.current();
  }

  final Tok previous() {
    return ring.previous();
  }

  final TokenRing ring() {
    return ring;
  }

  final OpState state() {
    return states.get(depth);
  }

  static Sym sym(Tok token) {
    Sym sym = token.sym;
    if (sym == null) {
      throw new IllegalStateException("the token has no spelling");
    }
    return sym;
  }

  @Override
  public void enterRule(ParserRuleContext localctx, int state, int ruleIndex) {
    if (++rules > MAX_RULES) {
      throw error("nesting-too-deep", "the text is nested too deeply", current());
    }
    super.enterRule(localctx, state, ruleIndex);
  }

  @Override
  public void exitRule() {
    rules--;
    super.exitRule();
  }

  /** Returns the operations at the top level. */
  final List<Operation> topLevel() {
    return regions.get(0).operations();
  }

  // Names of operations.

  /** Turns a word where an operation may begin into the token of its op's family. */
  final void begin() {
    Tok token = ring.current();
    if (token.type != MlirText.WORD) {
      return;
    }
    Sym sym = sym(token);
    OpDef def = inFunction ? sym.functionDef : sym.def;
    if (def == null) {
      def = lookUp(sym, token);
    }
    token.type =
        def == BuiltinOps.FUNC
            ? MlirText.FUNCTION
            : def == BuiltinOps.MODULE ? MlirText.MODULE : MlirText.FORM;
  }

  private OpDef lookUp(Sym sym, Tok token) {
    String name = sym.text;
    if (name.indexOf('.') < 0) {
      String inside = "func." + name;
      name = inFunction && MlirAssembly.named(inside) != null ? inside : "builtin." + name;
    }
    MlirAssembly assembly = MlirAssembly.named(name);
    OpDef def = ops.byName(name);
    if (def != BuiltinOps.FUNC
        && def != BuiltinOps.MODULE
        && (assembly == null || !assembly.isCustom())) {
      throw error(
          "unknown-op",
          assembly == null && def == null
              ? "custom op '" + PointingErrors.shortened(sym.text) + "' is unknown"
              : "op '" + sym.text + "' has no custom assembly form; write it as \"" + name + "\"",
          token);
    }
    if (def == null) {
      def = ops.byNameOrUnregistered(name);
    }
    MlirAssembly format = assembly == null ? MlirAssembly.GENERIC : assembly;
    if (inFunction) {
      sym.functionDef = def;
      sym.functionAssembly = format;
    } else {
      sym.def = def;
      sym.assembly = format;
    }
    return def;
  }

  /** Turns a word that the grammar treats as a keyword here into its token. */
  final void keyword() {
    Tok token = ring.current();
    if (token.type == MlirText.WORD) {
      switch (sym(token).text) {
        case "attributes" -> token.type = MlirText.ATTRIBUTES;
        case "private", "public", "nested" -> token.type = MlirText.VISIBILITY;
        default -> {}
      }
    }
  }

  // Operations.

  final void open() {
    if (++depth == states.size()) {
      states.add(new OpState());
    }
    state().reset(ring.current().begin);
  }

  final void result() {
    OpState state = state();
    state.results.add(sym(previous()));
    state.resultBegins.add(previous().begin);
    state.resultCounts.add(1);
    if (previous().index >= 0) {
      throw error("syntax", "expected a name without '#' where a value is defined", previous());
    }
  }

  final void resultCount() {
    int count;
    try {
      count = Integer.parseInt(sym(previous()).text);
    } catch (NumberFormatException e) {
      count = 0;
    }
    if (count < 1 || count > MAX_RESULTS) {
      throw error("result-count", "expected named operation to have at least 1 result", previous());
    }
    OpState state = state();
    state.resultCounts.set(state.resultCounts.size() - 1, count);
  }

  final void genericName() {
    Tok token = previous();
    Sym sym = sym(token);
    OpDef def = sym.def;
    if (def == null) {
      String name = texts.unquote(sym.text).value();
      if (name.isEmpty() || name.indexOf('\0') >= 0) {
        throw error("unknown-op", "empty operation name is invalid", token);
      }
      def = ops.byNameOrUnregistered(name);
      sym.def = def;
    }
    name(def, token);
    state().isolated = def == BuiltinOps.FUNC || def == BuiltinOps.MODULE;
    state().function = def == BuiltinOps.FUNC;
  }

  private void name(OpDef def, Tok token) {
    OpState state = state();
    state.def = def;
    state.nameBegin = token.begin;
    state.nameEnd = token.end;
  }

  /** Reads an operation by the format of its op. */
  final void format() {
    Tok token = previous();
    Sym sym = sym(token);
    OpDef def = inFunction ? sym.functionDef : sym.def;
    MlirAssembly assembly = inFunction ? sym.functionAssembly : sym.assembly;
    if (def == null || assembly == null) {
      throw new IllegalStateException("begin() has not seen " + sym.text);
    }
    name(def, token);
    state().assembly = assembly;
    formats.read(assembly);
  }

  final void operand() {
    Tok token = previous();
    OpState state = state();
    state.operands.add(scopes.use(sym(token), token));
    state.operandBegins.add(token.begin);
  }

  final void noSuccessors() {
    throw error("successors", "operations with successor blocks are not supported", current());
  }

  final void operandType(Type type) {
    state().operandTypes.add(type);
  }

  final void resultType(Type type) {
    state().resultTypes.add(type);
  }

  final void closeGeneric() {
    checkOperands(state());
  }

  /** Checks that the types written for the operands are theirs. */
  final void checkOperands(OpState state) {
    int count = state.operands.size();
    if (count != state.operandTypes.size()) {
      throw error(
          "operand-count",
          "expected " + count + " operand types but had " + state.operandTypes.size(),
          previous());
    }
    for (int i = 0; i < count; i++) {
      Type have = state.operands.get(i).type();
      Type want = state.operandTypes.get(i);
      if (have != want && !have.equals(want)) {
        throw mismatch(state, i, want, have);
      }
    }
  }

  final DiagnosticException mismatch(OpState state, int operand, Type want, Type have) {
    int begin = state.operandBegins.get(operand);
    int end = begin + 1;
    byte[] bytes = texts.source().bytes();
    while (end < bytes.length && " ,):\n\t[{".indexOf(bytes[end]) < 0) {
      end++;
    }
    return DiagnosticException.error(
        "operand-type",
        "use of value '"
            + texts.source().text(begin, end)
            + "' expects different type than prior uses: '"
            + want
            + "' vs '"
            + have
            + "'",
        new Location(texts.source(), begin, end));
  }

  final void addAttributes(Attributes added) {
    OpState state = state();
    for (int i = 0; i < added.size(); i++) {
      if (state.attributes.has(added.name(i))) {
        throw error(
            "duplicate-attribute", "attribute '" + added.name(i) + "' is given twice", previous());
      }
      state.attributes.put(added.name(i), added.value(i));
    }
  }

  final void addProperties(Attributes added) {
    OpDef def = state().def;
    if (def != null
        && MlirAssembly.named(def.name()) == null
        && def.has(OpDef.Trait.UNREGISTERED)) {
      state().attributes.put("properties", new Attribute.Dict(added));
    } else {
      addAttributes(added);
    }
  }

  final void trailingLocation() {
    state().debugLocation = locations.of(previous());
  }

  final void close() {
    OpState state = state();
    depth--;
    OpDef def = state.def;
    if (def == null) {
      throw new IllegalStateException("an operation without a name");
    }
    int count = state.resultTypes.size();
    ImmutableList<Value> values = count == 0 ? ImmutableList.of() : results(state, count);
    if (!state.results.isEmpty() || count > 0) {
      checkResults(state, count);
    }
    Operation operation =
        new Operation(
            def,
            ImmutableList.copyOf(state.operands),
            values,
            state.attributes.build(),
            ImmutableList.copyOf(state.regions),
            new Location(texts.source(), state.begin, previous().end),
            state.debugLocation);
    regions.get(regions.size() - 1).add(operation);
    int at = 0;
    for (int i = 0; i < state.results.size(); i++) {
      int size = state.resultCounts.get(i);
      Value[] group = new Value[size];
      for (int k = 0; k < size; k++) {
        group[k] = values.get(at++);
      }
      Sym sym = state.results.get(i);
      scopes.define(sym, group, state.resultBegins.get(i));
    }
  }

  private void checkResults(OpState state, int count) {
    int named = 0;
    for (int size : state.resultCounts) {
      named += size;
    }
    if (state.results.isEmpty()) {
      return;
    }
    if (named != count) {
      throw error(
          "result-count",
          "operation defines " + count + " results but was provided " + named + " to bind",
          state.begin,
          state.nameEnd);
    }
  }

  private static ImmutableList<Value> results(OpState state, int count) {
    if (count == 1) {
      return ImmutableList.of(
          new Value(
              state.resultTypes.get(0),
              state.results.isEmpty() ? null : Scopes.bare(state.results.get(0))));
    }
    ImmutableList.Builder<Value> out = ImmutableList.builderWithExpectedSize(count);
    int at = 0;
    for (int i = 0; i < state.results.size() && at < count; i++) {
      String name = Scopes.bare(state.results.get(i));
      for (int k = 0; k < state.resultCounts.get(i) && at < count; k++) {
        out.add(new Value(state.resultTypes.get(at++), name));
      }
    }
    while (at < count) {
      out.add(new Value(state.resultTypes.get(at++)));
    }
    return out.build();
  }

  // Regions.

  final void isolate() {
    state().isolated = true;
    if (state().def == null) {
      name(BuiltinOps.MODULE, previous());
    }
  }

  /** Opens a region of the operation that is open. */
  final void openRegion() {
    OpState state = state();
    regions.add(new Blocks(scopes.mark(), scopes.current(), inFunction));
    if (state.isolated) {
      scopes.isolate();
    }
    inFunction = state.function;
    Blocks blocks = regions.get(regions.size() - 1);
    for (int i = 0; i < state.parameters.size(); i++) {
      blocks.argument(state.parameters.get(i));
      Attribute location = state.parameterLocations.get(i);
      if (location != null) {
        blocks.argumentLocation(location);
      }
    }
  }

  final void openBlock() {
    regions.get(regions.size() - 1).label();
  }

  final void closeRegion() {
    Blocks blocks = regions.remove(regions.size() - 1);
    scopes.restore(blocks.undoMark, blocks.outerScope);
    inFunction = blocks.outerFunction;
    state().regions.add(blocks.region());
  }

  private @Nullable Sym valueSym;

  /** Remembers the name of an argument until its type is there. */
  final int valueToken() {
    valueSym = sym(previous());
    if (previous().index >= 0) {
      throw error("syntax", "expected a name without '#' where a value is defined", previous());
    }
    return previous().begin;
  }

  final void argument(int begin, Type type) {
    Blocks blocks = regions.get(regions.size() - 1);
    blocks.argument(define(begin, type));
  }

  final void argumentLocation() {
    Attribute location = locations.of(previous());
    if (state().head) {
      List<@Nullable Attribute> list = state().parameterLocations;
      list.set(list.size() - 1, location);
    } else {
      regions.get(regions.size() - 1).argumentLocation(location);
    }
  }

  private Value define(int begin, Type type) {
    Sym sym = valueSym;
    if (sym == null) {
      throw new IllegalStateException("an argument without a name");
    }
    Value value = new Value(type, Scopes.bare(sym));
    scopes.define(sym, new Value[] {value}, begin);
    return value;
  }

  /** Defines the argument whose name is {@code name}. */
  final Value defineAt(Tok name, Type type) {
    valueSym = sym(name);
    return define(name.begin, type);
  }

  // Functions. Their parameters are defined before the region is open, so the scope is set up here.

  final void visibility() {
    state().attributes.put(BuiltinOps.SYM_VISIBILITY, Attribute.Str.of(sym(previous()).text));
  }

  final void symbolName() {
    state().attributes.set(BuiltinOps.SYM_NAME, Attribute.Str.of(symbolText(previous())));
  }

  final String symbolText(Tok token) {
    Sym sym = sym(token);
    String bare = sym.bare;
    if (bare == null) {
      bare = sym.text.substring(1);
      if (bare.startsWith("\"")) {
        bare = texts.unquote(bare).value();
      }
      sym.bare = bare;
    }
    return bare;
  }

  final void openFunction() {
    OpState state = state();
    name(BuiltinOps.FUNC, previous());
    state.function = true;
    state.head = true;
    state.functionMark = scopes.mark();
    state.functionScope = scopes.current();
    scopes.isolate();
  }

  final void parameter(int begin, Type type) {
    OpState state = state();
    state.parameterTypes.add(type);
    state.parameterAttributes.add(null);
    state.parameterLocations.add(null);
    if (begin >= 0) {
      if (state.parameters.size() != state.parameterTypes.size() - 1) {
        throw error("syntax", "expected type instead of SSA identifier", previous());
      }
      state.parameters.add(define(begin, type));
    } else if (!state.parameters.isEmpty()) {
      throw error("syntax", "expected SSA identifier", previous());
    }
  }

  final void functionResult(Type type) {
    state().functionResults.add(type);
    state().functionResultAttributes.add(null);
  }

  /** Makes the attributes of a function before its body is read. */
  final void functionHead() {
    OpState state = state();
    state.attributes.set(
        BuiltinOps.FUNCTION_TYPE,
        new Attribute.TypeOf(
            new FunctionType(
                ImmutableList.copyOf(state.parameterTypes),
                ImmutableList.copyOf(state.functionResults))));
    attributesOf(BuiltinOps.ARG_ATTRS, state.parameterAttributes);
    attributesOf(BuiltinOps.RES_ATTRS, state.functionResultAttributes);
    state.head = false;
    if (ring.current().type == MlirText.LBRACE
        && state.parameters.size() != state.parameterTypes.size()) {
      throw error("syntax", "expected SSA identifier for each argument of a body", current());
    }
  }

  private void attributesOf(String name, List<@Nullable Attribute> list) {
    boolean any = false;
    ImmutableList.Builder<Attribute> out = ImmutableList.builder();
    for (Attribute attribute : list) {
      any |= attribute != null && !((Attribute.Dict) attribute).entries().isEmpty();
      out.add(attribute == null ? new Attribute.Dict(Attributes.EMPTY) : attribute);
    }
    if (any) {
      state().attributes.set(name, new Attribute.Array(out.build()));
    }
  }

  final void closeFunction() {
    OpState state = state();
    scopes.restore(state.functionMark, state.functionScope);
    if (state.regions.isEmpty()) {
      state.regions.add(Region.EMPTY);
    }
  }

  // Errors.

  final DiagnosticException error(String code, String message, Tok at) {
    return error(code, message, at.begin, at.end);
  }

  final DiagnosticException error(String code, String message, int begin, int end) {
    return new DiagnosticException(
        Diagnostic.error(code, message, new Location(texts.source(), begin, end)));
  }

  final Scopes scopes() {
    return scopes;
  }

  final Blocks blocks() {
    return regions.get(regions.size() - 1);
  }
}
