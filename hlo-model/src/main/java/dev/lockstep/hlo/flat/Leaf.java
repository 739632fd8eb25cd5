package dev.lockstep.hlo.flat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;

/**
 * What a value holds that is no tuple.
 *
 * @param path where it is: indices into tuples, the outermost first
 * @param type its type
 */
record Leaf(ImmutableList<Long> path, Type type) {
  /** Returns the leaves of {@code type} in order, tokens included. */
  static ImmutableList<Leaf> of(Type type) {
    ImmutableList.Builder<Leaf> out = ImmutableList.builder();
    collect(ImmutableList.of(), type, out);
    return out.build();
  }

  private static void collect(
      ImmutableList<Long> path, Type type, ImmutableList.Builder<Leaf> out) {
    if (!(type instanceof TupleType)) {
      out.add(new Leaf(path, type));
      return;
    }
    ImmutableList<Type> elements = ((TupleType) type).elements();
    for (int i = 0; i < elements.size(); i++) {
      collect(
          ImmutableList.<Long>builder().addAll(path).add((long) i).build(), elements.get(i), out);
    }
  }

  /** Returns whether it has a place in a flat signature; tokens have none. */
  boolean isKept() {
    return !(type instanceof TokenType);
  }

  /** Returns whether it lies in what {@code other} names. */
  boolean isIn(ImmutableList<Long> other) {
    return path.size() >= other.size() && path.subList(0, other.size()).equals(other);
  }

  /** Returns whether {@code type} is, or holds, a tuple or a token. */
  static boolean isFlat(Type type) {
    return !(type instanceof TupleType) && !(type instanceof TokenType);
  }
}
