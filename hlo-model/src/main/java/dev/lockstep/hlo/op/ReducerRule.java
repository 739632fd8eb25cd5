package dev.lockstep.hlo.op;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import com.google.errorprone.annotations.FormatMethod;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.OpaqueType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;

/**
 * Functions that fold: of N values so far and N values more they give N values, all of the types of
 * what is folded or of wider ones of the same kind.
 */
public final class ReducerRule {
  private final Operation operation;
  private final Block body;
  private final String code;
  private final DiagnosticSink sink;

  private ReducerRule(Operation operation, Block body, String code, DiagnosticSink sink) {
    this.operation = operation;
    this.body = body;
    this.code = code;
    this.sink = sink;
  }

  /**
   * Checks one function.
   *
   * @param inputs what is folded
   * @param inits what folding begins with
   * @param window the sizes that the function may see parts of; with none it must take scalars
   */
  public static void check(
      Operation operation,
      Block body,
      ImmutableList<Type> inputs,
      ImmutableList<Type> inits,
      ImmutableLongArray window,
      String code,
      DiagnosticSink sink) {
    new ReducerRule(operation, body, code, sink).check(inputs, inits, window);
  }

  private void check(
      ImmutableList<Type> inputs, ImmutableList<Type> inits, ImmutableLongArray window) {
    ImmutableList<Type> parameters = parameters(body);
    ImmutableList<Type> given = given(body);
    int count = inputs.size();
    if (!require(
            parameters.size() == 2 * count,
            "the reducer takes %d values, must take %d",
            parameters.size(),
            2 * count)
        || !require(
            given.size() == count, "the reducer gives %d values, must give %d", given.size(), count)
        || hasUnknown(parameters)
        || hasUnknown(given)
        || hasUnknown(inputs)
        || hasUnknown(inits)) {
      return;
    }
    for (int i = 0; i < count; i++) {
      if (!check(
          i,
          inputs.get(i),
          inits.get(i),
          parameters.get(i),
          parameters.get(count + i),
          given.get(i),
          window)) {
        return;
      }
    }
  }

  private boolean check(
      int i, Type input, Type init, Type left, Type right, Type given, ImmutableLongArray window) {
    if (!require(given instanceof TensorType, "the reducer gives %s, must give a tensor", given)
        || !require(
            left instanceof TensorType && right instanceof TensorType,
            "the reducer takes %s and %s, must take tensors",
            left,
            right)
        || !(input instanceof TensorType)
        || !(init instanceof TensorType)) {
      return false;
    }
    TensorType result = (TensorType) given;
    TensorType argument = (TensorType) right;
    return require(
            TensorRule.agree((TensorType) left, result),
            "parameter %d of the reducer has type %s but what it gives has type %s",
            i,
            left,
            result)
        && require(
            TensorRule.agreeInShape(argument, result)
                && (argument.element() == result.element()
                    || argument.element().isFloat() && result.element().isFloat()),
            "the reducer takes %s but gives %s",
            argument,
            result)
        && require(
            TensorRule.agreeInShape((TensorType) init, result),
            "the reducer gives %s but folding begins with %s",
            result,
            init)
        && require(
            isPromotable(((TensorType) init).element(), result.element()),
            "the reducer gives %s, which does not hold %s that folding begins with",
            result,
            init)
        && require(
            isPromotable(((TensorType) input).element(), argument.element()),
            "the reducer takes %s, which does not hold elements of %s",
            argument,
            input)
        && require(
            isPart(argument, window),
            "the reducer takes %s, must take %s",
            argument,
            window.isEmpty() ? "scalars" : "scalars or a part of " + window);
  }

  /** Returns whether the sizes of {@code type} stand in {@code window} in their order. */
  private static boolean isPart(TensorType type, ImmutableLongArray window) {
    int d = 0;
    for (int w = 0; w < window.length() && d < type.rank(); w++) {
      d += TensorRule.agree(window.get(w), type.dim(d)) ? 1 : 0;
    }
    return d == type.rank();
  }

  /** Returns whether elements of {@code to} hold those of {@code from}; reals hold all reals. */
  public static boolean isPromotable(ElementType from, ElementType to) {
    if (from == to || from.isFloat() && to.isFloat()) {
      return true;
    }
    boolean whole = !from.isFloat() && !from.isComplex() && !to.isFloat() && !to.isComplex();
    return (whole || from.isComplex() && to.isComplex()) && from.bits() <= to.bits();
  }

  /** Returns the types of the parameters of {@code body}. */
  public static ImmutableList<Type> parameters(Block body) {
    return types(Function.parametersOf(body));
  }

  /** Returns the types that {@code body} gives back, one by one. */
  public static ImmutableList<Type> given(Block body) {
    ImmutableList<Type> given = types(body.returned());
    return body.root() != null && given.size() == 1 && given.get(0) instanceof TupleType
        ? ((TupleType) given.get(0)).elements()
        : given;
  }

  private static ImmutableList<Type> types(ImmutableList<Value> values) {
    return values.stream().map(Value::type).collect(ImmutableList.toImmutableList());
  }

  /** Returns whether there are types that are not modelled, such as quantised ones. */
  public static boolean hasUnknown(ImmutableList<Type> types) {
    return types.stream()
        .anyMatch(type -> type instanceof OpaqueType && type.toString().contains("quant"));
  }

  @FormatMethod
  private boolean require(boolean condition, String message, Object... arguments) {
    if (!condition) {
      sink.error(code, String.format(message, arguments), operation.location());
    }
    return condition;
  }
}
