package dev.lockstep.pass.region.align;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;

/**
 * Values of the programs that stand for the same thing, one a class of ranks. Identity is the
 * object.
 */
public final class AlignedValue {
  private final ImmutableList<Value> values;

  AlignedValue(ImmutableList<Value> values) {
    this.values = values;
  }

  /** Returns the value of each class. */
  public ImmutableList<Value> values() {
    return values;
  }

  /** Returns the value of the first rank's program. */
  public Value base() {
    return values.get(0);
  }

  /** Returns whether the types are equal but for layouts. */
  public boolean isUniform() {
    Type first = base().type();
    return values.stream().allMatch(value -> value.type().isSameShape(first));
  }

  /** Returns whether all types are tensors. */
  public boolean isTensor() {
    return values.stream().allMatch(value -> value.type() instanceof TensorType);
  }

  /** Returns the tensor type of class {@code number}. */
  public TensorType tensor(int number) {
    return (TensorType) values.get(number).type();
  }

  /** Returns the size of dimension {@code dim} in each class. */
  public ImmutableLongArray sizes(int dim) {
    ImmutableLongArray.Builder out = ImmutableLongArray.builder(values.size());
    for (int k = 0; k < values.size(); k++) {
      out.add(tensor(k).dim(dim));
    }
    return out.build();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
