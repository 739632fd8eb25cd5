package dev.lockstep.hlo.type;

import com.google.common.collect.ImmutableList;
import java.util.stream.Collectors;

/**
 * {@code tuple<...>}, {@code (f32[2], s32[])}.
 *
 * @param elements the types of the elements; may be empty
 */
public record TupleType(ImmutableList<Type> elements) implements Type {
  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.tuple(this);
  }

  @Override
  public boolean isSameShape(Type other) {
    return other instanceof TupleType && sameShapes(elements, ((TupleType) other).elements);
  }

  static boolean sameShapes(ImmutableList<Type> a, ImmutableList<Type> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!a.get(i).isSameShape(b.get(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return elements.stream().map(Object::toString).collect(Collectors.joining(", ", "tuple<", ">"));
  }
}
