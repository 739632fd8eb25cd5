package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.Type;
import java.util.List;
import org.antlr.v4.runtime.TokenStream;
import org.jspecify.annotations.Nullable;

/** The actions of the generated parser on regions and functions. */
abstract class BodyActions extends OperationActions {
  BodyActions(TokenStream input) {
    super(input);
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
}
