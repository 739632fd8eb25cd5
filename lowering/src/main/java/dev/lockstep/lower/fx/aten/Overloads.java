package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the overload that a call without one means, as Python's dispatch does: the first whose
 * parameters can take the arguments.
 */
final class Overloads {
  private static final ImmutableListMultimap<String, AtenOp> BY_BASE = byBase();

  private Overloads() {}

  private static ImmutableListMultimap<String, AtenOp> byBase() {
    ImmutableListMultimap.Builder<String, AtenOp> out = ImmutableListMultimap.builder();
    for (AtenTable.Family family : AtenTable.FAMILIES) {
      for (AtenOp op : family.ops()) {
        out.put(op.name().substring(0, op.name().lastIndexOf('.')), op);
      }
    }
    return out.build();
  }

  /**
   * Returns the overload of {@code base}, such as {@code aten.sum}, that takes the arguments, with
   * integers that follow each other as one list where it wants one; null when none does.
   */
  static Operators.@Nullable Call resolve(String base, Operators.Call call) {
    for (AtenOp op : BY_BASE.get(base)) {
      ImmutableList<Arg> arguments = fitted(op.schema(), call);
      if (arguments != null) {
        return new Operators.Call(op.name(), arguments, call.keywords(), call.location());
      }
    }
    return null;
  }

  private static @Nullable ImmutableList<Arg> fitted(Schema schema, Operators.Call call) {
    ImmutableList<Arg> arguments = call.arguments();
    int count = schema.parameters().size();
    if (arguments.size() > 1 && count > 1 && isList(schema.parameters().get(1))) {
      ImmutableList<Arg> rest = arguments.subList(1, arguments.size());
      if (rest.stream().allMatch(arg -> arg instanceof Arg.Whole)) {
        arguments = ImmutableList.of(arguments.get(0), new Arg.Items(rest));
      }
    }
    if (arguments.size() > schema.positional()) {
      return null;
    }
    for (int i = 0; i < count; i++) {
      Schema.Parameter parameter = schema.parameters().get(i);
      Arg given = i < arguments.size() ? arguments.get(i) : call.keywords().get(parameter.name());
      boolean missing = given == null && parameter.fallback() == null && !parameter.isOptional();
      if (missing || given != null && !takes(parameter, given)) {
        return null;
      }
    }
    ImmutableMap<String, Arg> keywords = call.keywords();
    return keywords.keySet().stream().allMatch(name -> schema.parameter(name) != null)
        ? arguments
        : null;
  }

  private static boolean isList(Schema.Parameter parameter) {
    return parameter.type().startsWith("int[]");
  }

  private static boolean takes(Schema.Parameter parameter, Arg given) {
    String type = parameter.type();
    if (given instanceof Arg.None) {
      return parameter.isOptional() || "None".equals(parameter.fallback());
    }
    if (type.startsWith("Tensor[]") || type.startsWith("Tensor?[]")) {
      return given instanceof Arg.Items;
    }
    if (type.startsWith("Tensor")) {
      return given instanceof Arg.Tensor;
    }
    if (type.startsWith("int[]")) {
      return given instanceof Arg.Items || given instanceof Arg.Whole;
    }
    if (type.startsWith("int")) {
      return given instanceof Arg.Whole;
    }
    if (type.startsWith("float") || type.startsWith("Scalar?") || type.equals("Scalar")) {
      return given.isNumber();
    }
    if (type.startsWith("bool")) {
      return given instanceof Arg.Flag || given instanceof Arg.Items && type.contains("[");
    }
    if (type.startsWith("str")) {
      return given instanceof Arg.Text;
    }
    if (type.startsWith("ScalarType")) {
      return given instanceof Arg.Dtype;
    }
    return true;
  }
}
