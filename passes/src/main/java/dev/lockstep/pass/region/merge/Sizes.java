package dev.lockstep.pass.region.merge;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.region.align.AlignedValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The sizes that dimensions have in one text for all ranks: the largest of the ranks' sizes.
 *
 * <p>Where a rank has fewer elements along a dimension, its own stand first and what is behind them
 * is arbitrary. Sizes that ranks wrote as if all members of a group held as much as they themselves
 * do, and that therefore are right on no rank, stand for the sum of what the members hold.
 *
 * @param sums from the sizes that the classes wrote to what they stand for
 */
public record Sizes(ImmutableMap<ImmutableLongArray, Long> sums) {
  /** No sums. */
  public static final Sizes PLAIN = new Sizes(ImmutableMap.of());

  /** Returns the size in one text of a dimension that has {@code byClass} in the classes. */
  public long size(ImmutableLongArray byClass) {
    return valid(byClass).stream().max().orElse(0);
  }

  /** Returns how many elements along a dimension mean something in each class. */
  public ImmutableLongArray valid(ImmutableLongArray byClass) {
    if (isEqual(byClass)) {
      return byClass;
    }
    for (Map.Entry<ImmutableLongArray, Long> sum : sums.entrySet()) {
      long factor = factor(byClass, sum.getKey());
      if (factor > 0) {
        long all = factor * sum.getValue();
        return ImmutableLongArray.copyOf(byClass.stream().map(size -> all).toArray());
      }
    }
    return byClass;
  }

  /** Returns whether the sizes are right on no rank and stand for a sum. */
  public boolean isSum(ImmutableLongArray byClass) {
    return !isEqual(byClass) && isEqual(valid(byClass));
  }

  /** Returns k when {@code sizes} is k times {@code unit} everywhere, else 0. */
  private static long factor(ImmutableLongArray sizes, ImmutableLongArray unit) {
    long factor = 0;
    for (int k = 0; k < sizes.length(); k++) {
      long size = sizes.get(k);
      long one = unit.get(k);
      if (one == 0 ? size != 0 : size % one != 0) {
        return 0;
      }
      if (one != 0) {
        if (factor != 0 && factor != size / one) {
          return 0;
        }
        factor = size / one;
      }
    }
    return factor;
  }

  /** Returns whether all are the same. */
  public static boolean isEqual(ImmutableLongArray byClass) {
    return byClass.stream().allMatch(size -> size == byClass.get(0));
  }

  /** Returns whether ranks have different numbers of elements along {@code dim} of a tensor. */
  public boolean isUneven(AlignedValue value, int dim) {
    return !isEqual(valid(value.sizes(dim)));
  }

  /** Returns whether ranks have different numbers of elements in {@code value}. */
  public boolean isUneven(AlignedValue value) {
    if (value.isUniform()) {
      return false;
    }
    if (!value.isTensor()) {
      return true;
    }
    for (int d = 0; d < value.tensor(0).rank(); d++) {
      if (isUneven(value, d)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the type of {@code value} in one text for all ranks. */
  public Type type(AlignedValue value) {
    List<Type> types = new ArrayList<>();
    for (Value each : value.values()) {
      types.add(each.type());
    }
    return type(types);
  }

  /** Returns the tensor type of {@code value} in one text for all ranks. */
  public TensorType tensor(AlignedValue value) {
    return (TensorType) type(value);
  }

  private Type type(List<Type> types) {
    Type first = types.get(0);
    if (types.stream().allMatch(first::isSameShape)) {
      return first;
    }
    if (first instanceof TupleType tuple) {
      ImmutableList.Builder<Type> elements = ImmutableList.builder();
      for (int i = 0; i < tuple.elements().size(); i++) {
        List<Type> column = new ArrayList<>();
        for (Type type : types) {
          column.add(((TupleType) type).elements().get(i));
        }
        elements.add(type(column));
      }
      return new TupleType(elements.build());
    }
    TensorType tensor = (TensorType) first;
    long[] dims = new long[tensor.rank()];
    for (int d = 0; d < dims.length; d++) {
      ImmutableLongArray.Builder column = ImmutableLongArray.builder(types.size());
      for (Type type : types) {
        column.add(((TensorType) type).dim(d));
      }
      dims[d] = size(column.build());
    }
    // A layout is a permutation of dimensions, so it fits whatever the sizes are.
    return tensor.withDims(dims).withLayout(tensor.layout());
  }
}
