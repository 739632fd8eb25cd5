package dev.lockstep.lower;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;

/** Shapes seen as rows: the first dimension, or a single row for a scalar. */
final class Rows {
  private Rows() {}

  /** Returns {@code type} with {@code rows} rows. */
  static TensorType withRows(TensorType type, long rows) {
    long[] dims = type.dims().toArray();
    dims[0] = rows;
    return TensorType.of(type.element(), dims);
  }

  /** Returns the number of rows; a scalar is one. */
  static long count(TensorType type) {
    return type.rank() == 0 ? 1 : type.dim(0);
  }

  /** Returns {@code value} with a first dimension: a scalar becomes {@code [1]}. */
  static Value ofScalar(Value value, Emitter emit) {
    return Emitter.type(value).rank() == 0 ? emit.reshape(value, ImmutableLongArray.of(1)) : value;
  }

  /** Returns {@code value} under one more dimension of size 1 before the others. */
  static Value stacked(Value value, Emitter emit) {
    return emit.reshape(value, stacked(Emitter.type(value), 1).dims());
  }

  /** Returns {@code type} under one more dimension of size {@code count} before the others. */
  static TensorType stacked(TensorType type, long count) {
    return TensorType.of(
        type.element(),
        ImmutableLongArray.builder(type.rank() + 1).add(count).addAll(type.dims()).build());
  }
}
