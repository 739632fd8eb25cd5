package dev.lockstep.hlo.flat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Takes values apart into their leaves, and puts them together again. */
final class Tuples {
  private Tuples() {}

  /**
   * Builds {@code value}, a tuple or a token, of leaves. It stays the same object, so that whatever
   * uses it, or names it, goes on to.
   */
  static void rebuild(Value value, Iterator<Value> leaves, OpBuilder builder) {
    together(value.type(), leaves, builder);
    ImmutableList<Operation> built = builder.take();
    for (int i = 0; i < built.size(); i++) {
      boolean isLast = i == built.size() - 1;
      builder.add(isLast ? built.get(i).withResults(ImmutableList.of(value)) : built.get(i));
    }
  }

  private static Value together(Type type, Iterator<Value> leaves, OpBuilder builder) {
    if (type instanceof TokenType) {
      return builder.afterAll(ImmutableList.of());
    }
    if (!(type instanceof TupleType)) {
      return leaves.next();
    }
    List<Value> elements = new ArrayList<>();
    for (Type element : ((TupleType) type).elements()) {
      elements.add(together(element, leaves, builder));
    }
    return builder.tuple(elements);
  }

  /** Adds the kept leaves of {@code value} to {@code out}. */
  static void apart(Value value, OpBuilder builder, ImmutableList.Builder<Value> out) {
    if (value.type() instanceof TupleType) {
      for (int i = 0; i < ((TupleType) value.type()).elements().size(); i++) {
        Type element = ((TupleType) value.type()).elements().get(i);
        if (Leaf.of(element).stream().anyMatch(Leaf::isKept)) {
          apart(builder.getTupleElement(value, i), builder, out);
        }
      }
    } else if (!(value.type() instanceof TokenType)) {
      out.add(value);
    }
  }
}
