package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import java.util.Arrays;
import java.util.function.BinaryOperator;
import java.util.stream.LongStream;

/** StableHLO's gather and scatter in the two forms that torch's operators need. */
final class Gathers {
  private Gathers() {}

  /**
   * Returns rows of {@code value}: for each index vector, the last dimension of {@code indices},
   * the slice at these places of the leading dimensions, whole in the others.
   */
  static Value rows(Tensors t, Value value, Value indices) {
    long[] dims = Tensors.dims(value);
    long[] at = Tensors.dims(indices);
    int places = (int) at[at.length - 1];
    int outer = at.length - 1;
    long[] out = Arrays.copyOf(at, outer + dims.length - places);
    System.arraycopy(dims, places, out, outer, dims.length - places);
    long[] sizes = dims.clone();
    Arrays.fill(sizes, 0, places, 1);
    Attributes.Builder fields = Attributes.builder();
    if (dims.length > places) {
      fields.put("offset_dims", range(outer, out.length));
    }
    fields.put("collapsed_slice_dims", range(0, places));
    fields.put("start_index_map", range(0, places));
    fields.put("index_vector_dim", Attribute.Int.i64(outer));
    return t.op(
        "stablehlo.gather",
        Tensors.type(value).withDims(out),
        Attributes.builder()
            .put("dimension_numbers", new Attribute.Struct("stablehlo.gather", fields.build()))
            .put("slice_sizes", Attribute.Longs.of(sizes))
            .build(),
        value,
        indices);
  }

  private static Attribute range(int begin, int end) {
    return Attribute.Longs.of(LongStream.range(begin, end).toArray());
  }

  /**
   * Returns {@code value} with rows changed: the slice at each index vector, as in {@link #rows},
   * becomes what {@code join} makes of it and the update. Indices outside change nothing.
   */
  static Value scatter(
      Tensors t, Value value, Value indices, Value updates, BinaryOperator<Value> join) {
    int rank = Tensors.rank(value);
    long[] at = Tensors.dims(indices);
    int places = (int) at[at.length - 1];
    int outer = at.length - 1;
    Attributes.Builder fields = Attributes.builder();
    if (rank > places) {
      fields.put("update_window_dims", range(outer, outer + rank - places));
    }
    fields.put("inserted_window_dims", range(0, places));
    fields.put("scatter_dims_to_operand_dims", range(0, places));
    fields.put("index_vector_dim", Attribute.Int.i64(outer));
    Region body = t.joining(Tensors.element(value), join);
    return t.op(
            "stablehlo.scatter",
            ImmutableList.of(value, indices, updates),
            ImmutableList.of(value.type()),
            Attributes.of(
                "scatter_dimension_numbers",
                new Attribute.Struct("stablehlo.scatter", fields.build())),
            body)
        .get(0);
  }

  /** Returns {@code index} where it is not negative, else counted from the end of {@code size}. */
  static Value wrapped(Tensors t, Value index, long size) {
    Value negative = t.compare("LT", index, t.like(index, 0));
    return t.select(negative, t.add(index, t.full(Tensors.type(index), size)), index);
  }
}
