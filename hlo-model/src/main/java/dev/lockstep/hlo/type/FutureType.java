package dev.lockstep.hlo.type;

import com.google.common.collect.ImmutableList;
import java.util.stream.Collectors;

/**
 * {@code !stablehlo.future<...>}: the results of an operation that was started.
 *
 * @param types what the done operation gives back
 */
public record FutureType(ImmutableList<Type> types) implements Type {
  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.future(this);
  }

  @Override
  public boolean isSameShape(Type other) {
    return other instanceof FutureType && TupleType.sameShapes(types, ((FutureType) other).types);
  }

  @Override
  public String toString() {
    return types.stream()
        .map(Object::toString)
        .collect(Collectors.joining(", ", "!stablehlo.future<", ">"));
  }
}
