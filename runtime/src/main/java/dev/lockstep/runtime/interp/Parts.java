package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.data.Movement;
import dev.lockstep.hlo.shard.Tiling;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntFunction;

/** Cuts arrays into the parts that devices hold, and joins them. */
final class Parts {

  /** One of several partitions that hold copies has another value than the first. */
  interface Mismatch {
    void found(int first, int other);
  }

  private Parts() {}

  /** Returns the part of {@code whole} that {@code partition} holds. */
  static Literal cut(Literal whole, Tiling tiling, int partition) {
    ImmutableLongArray local = tiling.isManual() ? whole.dims() : tiling.local(whole.dims());
    TensorType type = TensorType.of(whole.element(), local);
    if (!tiling.holds(partition) || tiling.summand(partition) != 0) {
      return Literal.zeros(type);
    }
    if (local.equals(whole.dims())) {
      return whole;
    }
    long[] start = tiling.start(partition, local);
    long[] limit = new long[start.length];
    long[] inside = new long[start.length];
    boolean complete = true;
    for (int d = 0; d < start.length; d++) {
      start[d] = Math.min(start[d], whole.dims().get(d));
      limit[d] = Math.min(start[d] + local.get(d), whole.dims().get(d));
      complete &= limit[d] - start[d] == local.get(d);
      inside[d] = 1;
    }
    Literal part = Movement.slice(whole, start, limit, inside);
    return complete
        ? part
        : Movement.update(Literal.zeros(type).dense(), part, new long[start.length]);
  }

  /** Returns the parts that {@code partitions} hold of {@code whole}; copies are one object. */
  static ImmutableList<Literal> cutAll(Literal whole, Tiling tiling, List<Integer> partitions) {
    Map<ImmutableIntArray, Literal> known = new HashMap<>();
    ImmutableList.Builder<Literal> out = ImmutableList.builder();
    for (int partition : partitions) {
      out.add(
          tiling.holds(partition) && tiling.summand(partition) == 0
              ? known.computeIfAbsent(tiling.tile(partition), tile -> cut(whole, tiling, partition))
              : cut(whole, tiling, partition));
    }
    return out.build();
  }

  /**
   * Returns the array of {@code type} of which {@code partitions} hold parts.
   *
   * @param partitions all of one {@link Tiling#group}
   * @param parts gives the part of a partition
   * @throws IllegalArgumentException if a part is missing or has another size
   */
  static Literal join(
      TensorType type,
      Tiling tiling,
      List<Integer> partitions,
      IntFunction<Literal> parts,
      Mismatch mismatch) {
    ImmutableLongArray local = tiling.local(type.dims());
    // For each tile and summand, the partition whose value counts.
    Map<ImmutableIntArray, Map<Integer, Integer>> holders = new HashMap<>();
    for (int partition : partitions) {
      if (!tiling.holds(partition)) {
        continue;
      }
      Literal part = parts.apply(partition);
      if (!part.dims().equals(local)) {
        throw new IllegalArgumentException(
            String.format(
                "device %d holds %s of %s, must be %s",
                partition, part.type(), type, TensorType.of(type.element(), local)));
      }
      Integer first =
          holders
              .computeIfAbsent(tiling.tile(partition), tile -> new HashMap<>())
              .putIfAbsent(tiling.summand(partition), partition);
      if (first != null && !Spread.isSame(parts.apply(first), part)) {
        mismatch.found(first, partition);
      }
    }
    long wanted = 1;
    for (int count : tiling.tiles().asList()) {
      wanted *= count;
    }
    if (holders.size() != wanted) {
      throw new IllegalArgumentException(
          String.format(
              "%d of %d parts are there: devices that hold the others are not",
              holders.size(), wanted));
    }
    if (wanted == 1) {
      return sum(holders.values().iterator().next(), parts);
    }
    LiteralBuilder out = new LiteralBuilder(TensorType.of(type.element(), type.dims()));
    for (Map<Integer, Integer> summands : holders.values()) {
      int any = summands.values().iterator().next();
      long[] start = tiling.start(any, local);
      Literal part = inside(sum(summands, parts), start, type.dims());
      if (part.count() > 0) {
        Movement.place(out, part, start);
      }
    }
    return out.build();
  }

  private static Literal inside(Literal part, long[] start, ImmutableLongArray dims) {
    long[] limit = new long[start.length];
    long[] step = new long[start.length];
    Arrays.fill(step, 1);
    boolean complete = true;
    for (int d = 0; d < start.length; d++) {
      limit[d] = Math.max(0, Math.min(part.dims().get(d), dims.get(d) - start[d]));
      complete &= limit[d] == part.dims().get(d);
    }
    return complete ? part : Movement.slice(part, new long[start.length], limit, step);
  }

  private static Literal sum(Map<Integer, Integer> holders, IntFunction<Literal> parts) {
    List<Literal> each = new ArrayList<>();
    for (int holder : new TreeSet<>(holders.values())) {
      each.add(parts.apply(holder));
    }
    return sum(each);
  }

  /**
   * Returns the sum of {@code parts}.
   *
   * @throws IllegalArgumentException if there are none
   */
  static Literal sum(List<Literal> parts) {
    Literal out = null;
    for (Literal part : parts) {
      out = out == null ? part : add(out, part);
    }
    if (out == null) {
      throw new IllegalArgumentException("no device holds the value");
    }
    return out;
  }

  private static Literal add(Literal left, Literal right) {
    LiteralBuilder out = new LiteralBuilder(left.type());
    for (int i = 0; i < left.count(); i++) {
      switch (left.element().kind()) {
        case FLOAT -> out.setDouble(i, left.getDouble(i) + right.getDouble(i));
        case COMPLEX ->
            out.setComplex(
                i,
                left.getDouble(i) + right.getDouble(i),
                left.getImaginary(i) + right.getImaginary(i));
        case BOOL -> out.setLong(i, left.getLong(i) | right.getLong(i));
        case SIGNED, UNSIGNED -> out.setLong(i, left.getLong(i) + right.getLong(i));
      }
    }
    return out.build();
  }
}
