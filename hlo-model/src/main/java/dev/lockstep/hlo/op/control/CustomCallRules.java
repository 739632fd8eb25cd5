package dev.lockstep.hlo.op.control;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.Surroundings;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules about what a custom call says of layouts, memory and configuration, in MLIR's forms. */
final class CustomCallRules {
  private static final int TYPED_FFI = 4;

  private static final Pattern DENSE =
      Pattern.compile("dense<\\[?((?:[0-9]{1,9}(?:, *)?)*)\\]?> *:.*");

  private CustomCallRules() {}

  /** There is a layout for every operand and result, or for none. */
  static void layouts(Operation operation, String code, DiagnosticSink sink) {
    Attribute operands = operation.attribute("operand_layouts");
    Attribute results = operation.attribute("result_layouts");
    if (operands == null && results == null) {
      return;
    }
    if (!(operands instanceof Attribute.Array) || !(results instanceof Attribute.Array)) {
      error(operation, code, sink, "there must be layouts for operands and results, or for none");
      return;
    }
    layouts(operation, "operand", operation.operandTypes(), (Attribute.Array) operands, code, sink);
    layouts(operation, "result", Results.types(operation), (Attribute.Array) results, code, sink);
  }

  private static void layouts(
      Operation operation,
      String what,
      ImmutableList<Type> types,
      Attribute.Array layouts,
      String code,
      DiagnosticSink sink) {
    if (types.size() != layouts.elements().size()) {
      error(
          operation,
          code,
          sink,
          String.format("%d layouts for %d %ss", layouts.elements().size(), types.size(), what));
      return;
    }
    for (int i = 0; i < types.size(); i++) {
      ImmutableLongArray layout = numbers(layouts.elements().get(i));
      Type type = types.get(i);
      int rank = type instanceof TensorType ? ((TensorType) type).rank() : 0;
      if (layout != null
          && (type instanceof TupleType || !isOrder(layout, rank))
          && !type.toString().startsWith("tensor<*")) {
        error(
            operation,
            code,
            sink,
            String.format("layout %s of %s %d does not fit type %s", layout, what, i, type));
      }
    }
  }

  /** Returns the numbers of a layout; those of MLIR's {@code index} are kept as text. */
  private static @Nullable ImmutableLongArray numbers(Attribute layout) {
    if (!(layout instanceof Attribute.Raw)) {
      return AttrKeys.asLongs(layout);
    }
    Matcher dense = DENSE.matcher(((Attribute.Raw) layout).text());
    if (!dense.matches()) {
      return null;
    }
    ImmutableLongArray.Builder out = ImmutableLongArray.builder();
    for (String number : Splitter.on(',').trimResults().omitEmptyStrings().split(dense.group(1))) {
      out.add(Long.parseLong(number));
    }
    return out.build();
  }

  private static boolean isOrder(ImmutableLongArray layout, int rank) {
    return layout.length() == rank
        && layout.stream().allMatch(d -> d >= 0 && d < rank)
        && layout.stream().distinct().count() == rank;
  }

  /** Operands and results that share memory are there and have one type. */
  static void aliases(Operation operation, String code, DiagnosticSink sink) {
    Attribute aliases = operation.attribute("output_operand_aliases");
    if (!(aliases instanceof Attribute.Array)) {
      return;
    }
    for (Attribute alias : ((Attribute.Array) aliases).elements()) {
      if (!(alias instanceof Attribute.Struct)) {
        continue;
      }
      Attribute index = ((Attribute.Struct) alias).fields().get("operand_index");
      long operand = index instanceof Attribute.Int ? ((Attribute.Int) index).value() : 0;
      if (operand < 0 || operand >= operation.operands().size()) {
        error(operation, code, sink, "there is no operand " + operand + " to share memory with");
        continue;
      }
      ImmutableList<Type> results = operation.resultTypes();
      Type from =
          part(
              operation.operand((int) operand).type(),
              (Attribute.Struct) alias,
              "operand_tuple_indices");
      Type to =
          part(
              results.size() == 1 ? results.get(0) : new TupleType(results),
              (Attribute.Struct) alias,
              "output_tuple_indices");
      if (from == null || to == null) {
        error(operation, code, sink, "what shares memory is no element of its tuple");
      } else if (!from.equals(to)) {
        error(operation, code, sink, from + " and " + to + " cannot share memory");
      }
    }
  }

  private static @Nullable Type part(Type whole, Attribute.Struct alias, String name) {
    Attribute list = alias.fields().get(name);
    ImmutableLongArray path = list == null ? null : AttrKeys.asLongs(list);
    Type part = whole;
    for (int i = 0; path != null && i < path.length(); i++) {
      if (!(part instanceof TupleType)
          || path.get(i) < 0
          || path.get(i) >= ((TupleType) part).elements().size()) {
        return null;
      }
      part = ((TupleType) part).elements().get((int) path.get(i));
    }
    return part;
  }

  /** The newest version takes a dictionary, all before it a string. */
  static void config(Operation operation, Surroundings around, String code, DiagnosticSink sink) {
    if (around.isHlo()) {
      return;
    }
    Attribute config = operation.attribute("backend_config");
    Attribute version = operation.attribute("api_version");
    boolean isTyped =
        version instanceof Attribute.Int && ((Attribute.Int) version).value() == TYPED_FFI;
    if (config instanceof Attribute.Str && isTyped) {
      error(operation, code, sink, "backend_config must be a dictionary for this api_version");
    } else if (config instanceof Attribute.Dict && !isTyped) {
      error(operation, code, sink, "backend_config must be a string for this api_version");
    }
  }

  private static void error(Operation operation, String code, DiagnosticSink sink, String message) {
    sink.error(code, message, operation.location());
  }
}
