package dev.lockstep.hlo.shard;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;

/** The tensors within a type, in order: what shardings of tuples count. */
final class Leaves {
  private Leaves() {}

  static ImmutableList<TensorType> of(Type type) {
    ImmutableList.Builder<TensorType> out = ImmutableList.builder();
    collect(type, out);
    return out.build();
  }

  private static void collect(Type type, ImmutableList.Builder<TensorType> out) {
    if (type instanceof TupleType) {
      ((TupleType) type).elements().forEach(element -> collect(element, out));
    } else if (type instanceof TensorType) {
      out.add((TensorType) type);
    }
  }
}
