package dev.lockstep.hlo.op.collective;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.data.Movement;
import java.util.ArrayList;
import java.util.List;

/**
 * The form of HLO's {@code collective-permute} that writes in place. Its operands are inputs,
 * outputs, where to read and where to write; inputs are an array or a tuple of arrays, and each may
 * send one slice or several.
 */
final class PermutedSlices {
  private PermutedSlices() {}

  /** Returns the outputs of {@code target} with the slices of {@code source} in them. */
  static Datum place(
      ImmutableList<Datum> source,
      ImmutableList<Datum> target,
      ImmutableList<ImmutableLongArray> sizes) {
    boolean isTuple = source.get(0) instanceof Datum.Tuple;
    ImmutableList<Datum> inputs = parts(source.get(0));
    List<Datum> outputs = new ArrayList<>(parts(target.get(1)));
    checkArgument(inputs.size() == outputs.size(), "inputs and outputs differ in number");
    int slice = 0;
    for (int i = 0; i < inputs.size(); i++) {
      ImmutableList<ImmutableList<Datum>> from = starts(source.get(2), isTuple, i);
      ImmutableList<ImmutableList<Datum>> to = starts(target.get(3), isTuple, i);
      for (int j = 0; j < from.size(); j++) {
        checkArgument(
            slice < sizes.size() && j < to.size(), "slice_sizes and indices differ in number");
        Literal moved = slice((Literal) inputs.get(i), numbers(from.get(j)), sizes.get(slice++));
        outputs.set(i, Movement.update((Literal) outputs.get(i), moved, numbers(to.get(j))));
      }
    }
    return isTuple ? new Datum.Tuple(ImmutableList.copyOf(outputs)) : outputs.get(0);
  }

  private static ImmutableList<Datum> parts(Datum value) {
    return value instanceof Datum.Tuple
        ? ((Datum.Tuple) value).elements()
        : ImmutableList.of(value);
  }

  /** Returns where the slices of array {@code i} begin, each with a number a dimension. */
  private static ImmutableList<ImmutableList<Datum>> starts(Datum indices, boolean tuple, int i) {
    ImmutableList<Datum> of = parts(tuple ? parts(indices).get(i) : indices);
    if (of.isEmpty() || of.get(0) instanceof Literal) {
      return ImmutableList.of(of);
    }
    return of.stream().map(PermutedSlices::parts).collect(ImmutableList.toImmutableList());
  }

  private static long[] numbers(ImmutableList<Datum> indices) {
    return indices.stream().mapToLong(index -> ((Literal) index).getLong(0)).toArray();
  }

  private static Literal slice(Literal from, long[] start, ImmutableLongArray sizes) {
    checkArgument(start.length == sizes.length(), "slice_sizes and indices differ in number");
    long[] limit = start.clone();
    long[] step = new long[start.length];
    for (int d = 0; d < start.length; d++) {
      limit[d] += sizes.get(d);
      checkArgument(
          start[d] >= 0 && limit[d] <= from.type().dim(d),
          "a slice from %s to %s of dimension %s is not within %s",
          start[d],
          limit[d],
          d,
          from.type());
      step[d] = 1;
    }
    return Movement.slice(from, start, limit, step);
  }
}
