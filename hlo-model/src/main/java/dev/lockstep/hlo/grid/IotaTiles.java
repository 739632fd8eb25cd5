package dev.lockstep.hlo.grid;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import org.jspecify.annotations.Nullable;

/** Expands XLA's iota tile assignments ({@code xla/hlo/ir/tile_assignment.h}). */
final class IotaTiles {
  private IotaTiles() {}

  /** Returns {@code arange(prod(reshape)).reshape(reshape).transpose(transpose)} cut into rows. */
  static ImmutableList<ImmutableLongArray> groups(
      long groupCount,
      long groupSize,
      ImmutableLongArray reshape,
      @Nullable ImmutableLongArray transpose) {
    int rank = reshape.length();
    long[] dims = new long[rank];
    long[] strides = new long[rank];
    long stride = 1;
    long[] plain = new long[rank];
    for (int i = rank - 1; i >= 0; i--) {
      plain[i] = stride;
      stride *= reshape.get(i);
    }
    for (int i = 0; i < rank; i++) {
      int from = transpose == null ? i : Math.toIntExact(transpose.get(i));
      dims[i] = reshape.get(from);
      strides[i] = plain[from];
    }
    ImmutableList.Builder<ImmutableLongArray> out = ImmutableList.builder();
    long[] index = new long[rank];
    for (long g = 0; g < groupCount; g++) {
      ImmutableLongArray.Builder group = ImmutableLongArray.builder(Math.toIntExact(groupSize));
      for (long m = 0; m < groupSize; m++) {
        long id = 0;
        for (int i = 0; i < rank; i++) {
          id += index[i] * strides[i];
        }
        group.add(id);
        for (int i = rank - 1; i >= 0; i--) {
          if (++index[i] < dims[i]) {
            break;
          }
          index[i] = 0;
        }
      }
      out.add(group.build());
    }
    return out.build();
  }
}
