package dev.lockstep.pass.cost;

import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;

/** How many bytes values take. */
final class Sizes {
  private Sizes() {}

  /** Returns the bytes of a value of {@code type}; a tuple takes what its elements take. */
  static long bytes(Type type) {
    if (type instanceof TensorType tensor) {
      return tensor.isStatic() ? (tensor.count() * tensor.element().bits() + 7) / 8 : 0;
    }
    if (type instanceof TupleType tuple) {
      return tuple.elements().stream().mapToLong(Sizes::bytes).sum();
    }
    return 0;
  }

  /** Returns the elements of a value of {@code type}. */
  static long count(Type type) {
    if (type instanceof TensorType tensor) {
      return tensor.isStatic() ? tensor.count() : 0;
    }
    return type instanceof TupleType tuple
        ? tuple.elements().stream().mapToLong(Sizes::count).sum()
        : 0;
  }
}
