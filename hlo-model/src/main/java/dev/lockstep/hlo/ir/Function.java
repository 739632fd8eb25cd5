package dev.lockstep.hlo.ir;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.type.Type;
import java.util.TreeMap;

/**
 * A view of a {@code func.func} operation or an HLO computation: its name, parameters, body and
 * results.
 *
 * @param operation an operation of {@link BuiltinOps#FUNC}
 */
public record Function(Operation operation) {
  /** Checks that {@code operation} is a function. */
  public Function {
    checkArgument(operation.is(BuiltinOps.FUNC), "%s is not a function", operation.def().name());
  }

  /** Returns the name without {@code @} or {@code %}. */
  public String name() {
    return requireNonNull((Attribute.Str) operation.attribute(BuiltinOps.SYM_NAME)).value();
  }

  /** Returns whether there is only a declaration. */
  public boolean isDeclaration() {
    return operation.regions().isEmpty() || operation.regions().get(0).isEmpty();
  }

  /** Returns the body's block; fails on a declaration. */
  public Block body() {
    return operation.regions().get(0).entry();
  }

  /**
   * Returns the parameters in order: the block's arguments, or in HLO the results of the {@code
   * parameter} operations by number.
   */
  public ImmutableList<Value> parameters() {
    return parametersOf(body());
  }

  /** Returns the parameters of a block, as {@link #parameters} says. */
  public static ImmutableList<Value> parametersOf(Block block) {
    if (!block.arguments().isEmpty()) {
      return block.arguments();
    }
    TreeMap<Long, Value> byNumber = new TreeMap<>();
    for (Operation operation : block.operations()) {
      if (operation.is(BuiltinOps.PARAMETER)) {
        byNumber.put(
            ((Attribute.Int) requireNonNull(operation.attribute(BuiltinOps.PARAMETER_NUMBER)))
                .value(),
            operation.result());
      }
    }
    return ImmutableList.copyOf(byNumber.values());
  }

  /** Returns the types of what the function gives back: one type, maybe a tuple, in HLO. */
  public ImmutableList<Type> resultTypes() {
    ImmutableList.Builder<Type> out = ImmutableList.builder();
    for (Value value : body().returned()) {
      out.add(value.type());
    }
    return out.build();
  }

  /** Returns this function with another body block. */
  public Function withBody(Block body) {
    return !isDeclaration() && body == body()
        ? this
        : new Function(operation.withRegions(ImmutableList.of(Region.of(body))));
  }
}
