package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.MlirAssembly;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpSet;
import dev.lockstep.hlo.type.Type;
import org.antlr.v4.runtime.TokenStream;

/** The actions of the generated parser on operations. */
abstract class OperationActions extends ParserState {
  private static final int MAX_RESULTS = 1 << 16;

  private final FormatReader formats;
  private final OpSet ops = OpSet.standard();

  OperationActions(TokenStream input) {
    super(input);
    formats = new FormatReader((MlirText) this, ring, texts);
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
    push();
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

  final void name(OpDef def, Tok token) {
    OpState state = state();
    state.def = def;
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
    OpState state = pop();
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
}
