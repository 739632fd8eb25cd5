package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/**
 * What lowerings write most, on top of {@link OpBuilder}: tensors seen as rows of their first
 * dimension, and scalars spread over shapes.
 */
final class Emitter {
  private final OpBuilder build;

  Emitter(OpBuilder build) {
    this.build = build;
  }

  /** Returns the builder, for everything that needs no help. */
  OpBuilder build() {
    return build;
  }

  static TensorType type(Value value) {
    return (TensorType) value.type();
  }

  private static TensorType plain(Value value) {
    return TensorType.of(type(value).element(), type(value).dims());
  }

  /** Returns a constant. */
  Value constant(Literal literal) {
    return build.constant(literal);
  }

  /** Returns zeros of {@code type}. */
  Value zeros(TensorType type) {
    return build.zeros(TensorType.of(type.element(), type.dims()));
  }

  /** Returns an elementwise op of two values of one type. */
  Value binary(OpDef def, Value a, Value b) {
    return build.binary(def, a, b);
  }

  /** Returns whether {@code a} and {@code b} compare as {@code direction} says, elementwise. */
  Value compare(String direction, Value a, Value b) {
    return build.compare(direction, a, b);
  }

  /** Returns {@code ifTrue} where the scalar or like-shaped {@code condition} holds. */
  Value select(Value condition, Value ifTrue, Value ifFalse) {
    return build.select(condition, ifTrue, ifFalse);
  }

  /** Returns a scalar spread over {@code type}. */
  Value broadcast(Value scalar, TensorType type) {
    return type.rank() == 0 ? scalar : build.broadcastInDim(scalar, type);
  }

  /** Returns {@code value} converted to {@code element}. */
  Value convert(Value value, ElementType element) {
    return build.convert(value, element);
  }

  /** Returns the bits of {@code value} as {@code element}, which is as wide. */
  Value bitcast(Value value, ElementType element) {
    return type(value).element() == element
        ? value
        : build.bitcastConvert(value, plain(value).withElement(element));
  }

  /** Returns the real parts. */
  Value real(Value value) {
    return build.real(value);
  }

  /** Returns the imaginary parts. */
  Value imag(Value value) {
    return build.imag(value);
  }

  /** Returns complex numbers. */
  Value complex(Value real, Value imag) {
    return build.complex(real, imag);
  }

  /** Returns the same elements under other dimensions. */
  Value reshape(Value value, ImmutableLongArray dims) {
    return build.reshape(value, dims.toArray());
  }

  /** Returns rows {@code from} to {@code to}. */
  Value rows(Value value, long from, long to) {
    return from == 0 && to == type(value).dim(0) ? value : build.sliceDim(value, 0, from, to);
  }

  /** Returns {@code count} rows from the row that {@code start}, a scalar, names. */
  Value rowsAt(Value value, Value start, long count) {
    TensorType result = Rows.withRows(type(value), count);
    return build.dynamicSlice(value, starts(start, result.rank()), result.dims().toArray());
  }

  /** Returns {@code value} with {@code update} written from the row that {@code start} names. */
  Value withRowsAt(Value value, Value update, Value start) {
    return build.dynamicUpdateSlice(value, update, starts(start, type(value).rank()));
  }

  private ImmutableList<Value> starts(Value start, int rank) {
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    out.add(start);
    if (rank > 1) {
      Value zero = zeros(type(start));
      for (int i = 1; i < rank; i++) {
        out.add(zero);
      }
    }
    return out.build();
  }

  /** Returns the rows of all {@code parts}, one part after the other. */
  Value concatenate(ImmutableList<Value> parts) {
    return build.concatenate(parts, 0);
  }

  /** Returns {@code value} with rows of zeros at its end, {@code rows} in all. */
  Value padRows(Value value, long rows) {
    TensorType type = type(value);
    if (type.dim(0) == rows) {
      return value;
    }
    long[] low = new long[type.rank()];
    long[] high = new long[type.rank()];
    high[0] = rows - type.dim(0);
    return build.pad(value, zeros(TensorType.of(type.element())), low, high);
  }

  /** Returns the number of the row at each place of {@code type}. */
  Value rowNumbers(TensorType type) {
    return build.iota(type, 0);
  }
}
