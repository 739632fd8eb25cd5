package dev.lockstep.hlo.type;

import com.google.common.collect.ImmutableList;
import java.util.stream.Collectors;

/**
 * {@code (inputs) -> (results)}.
 *
 * @param inputs types of the arguments
 * @param results types of the results
 */
public record FunctionType(ImmutableList<Type> inputs, ImmutableList<Type> results)
    implements Type {
  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.function(this);
  }

  @Override
  public boolean isSameShape(Type other) {
    return other instanceof FunctionType
        && TupleType.sameShapes(inputs, ((FunctionType) other).inputs)
        && TupleType.sameShapes(results, ((FunctionType) other).results);
  }

  @Override
  public String toString() {
    return list(inputs)
        + " -> "
        + (results.size() == 1 && !(results.get(0) instanceof FunctionType)
            ? results.get(0).toString()
            : list(results));
  }

  private static String list(ImmutableList<Type> types) {
    return types.stream().map(Object::toString).collect(Collectors.joining(", ", "(", ")"));
  }
}
