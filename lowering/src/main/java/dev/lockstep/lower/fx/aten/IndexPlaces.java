package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The indices of an index expression, side by side and in range.
 *
 * @param vectors a vector of places for each result, along a new last dimension
 * @param first the first dimension that is indexed
 * @param dims the dimensions that are indexed
 * @param together whether these stand together
 */
record IndexPlaces(Value vectors, int first, int[] dims, boolean together) {
  /** Returns the places that the indices of the call mean. */
  static IndexPlaces of(AtenCall call, Tensors t, Value self) {
    ImmutableList<Arg> given = call.items("indices");
    List<Value> indices = new ArrayList<>();
    List<Integer> dims = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      if (given.get(i) instanceof Arg.Tensor tensor) {
        if (tensor.type().element().isBool()) {
          throw call.unsupported(
              "indexes with truth values, whose number of results depends on the values");
        }
        dims.add(i);
        indices.add(t.convert(tensor.value(), ElementType.I64));
      }
    }
    if (indices.isEmpty() || given.size() > Tensors.rank(self)) {
      throw call.error(
          "takes up to " + Tensors.rank(self) + " indices, got " + Operators.describe(given));
    }
    long[] shape = Tensors.broadcastDims(indices.toArray(new Value[0]));
    List<Value> columns = new ArrayList<>();
    boolean together = true;
    for (int i = 0; i < indices.size(); i++) {
      long size = Tensors.dims(self)[dims.get(i)];
      Value index = Gathers.wrapped(t, t.broadcast(indices.get(i), shape), size);
      columns.add(Shapes.withOne(t, index, shape.length));
      together &= i == 0 || dims.get(i) == dims.get(i - 1) + 1;
    }
    return new IndexPlaces(
        t.builder().concatenate(columns, shape.length),
        dims.get(0),
        dims.stream().mapToInt(Integer::intValue).toArray(),
        together);
  }

  /** Returns an order of {@code rank} dimensions with those that are indexed in front. */
  long[] indexedFirst(int rank) {
    long[] order = new long[rank];
    int at = 0;
    for (int dim : dims) {
      order[at++] = dim;
    }
    for (int i = 0; i < rank; i++) {
      int dim = i;
      if (Arrays.stream(dims).noneMatch(each -> each == dim)) {
        order[at++] = i;
      }
    }
    return order;
  }

  /**
   * Where the dimensions of the indices stand in the result: in place of those that they index if
   * these stand together, else in front.
   */
  long[] resultOrder(int rank) {
    int outer = Tensors.rank(vectors) - 1;
    int kept = rank - dims.length;
    int before = together ? first : 0;
    long[] order = new long[outer + kept];
    for (int i = 0; i < order.length; i++) {
      order[i] = i < before ? outer + i : i < before + outer ? i - before : i;
    }
    return order;
  }

  /** Returns the order that undoes {@code order}. */
  static long[] inverse(long[] order) {
    long[] out = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      out[(int) order[i]] = i;
    }
    return out;
  }
}
