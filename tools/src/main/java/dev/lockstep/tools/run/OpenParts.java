package dev.lockstep.tools.run;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.data.Movement;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.runtime.values.Tolerance;
import dev.lockstep.runtime.values.ValueFile;
import dev.lockstep.runtime.values.ValueKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Compares an array with parts of it, where a program leaves to the partitioner which device holds
 * which: any choice is right under which each device holds one part and every part is held.
 */
final class OpenParts {
  private OpenParts() {}

  /** Returns the parts that {@code file} expects of result {@code index}, if it holds all. */
  static Optional<ImmutableList<Literal>> expected(
      ValueFile file, int index, Literal whole, int devices) {
    ImmutableList.Builder<Literal> out = ImmutableList.builder();
    for (int device = 0; device < devices; device++) {
      String key = ValueKeys.result(index, device);
      if (file.dims(key).isEmpty() || file.dims(key).get().length() != whole.type().rank()) {
        return Optional.empty();
      }
      TensorType type = TensorType.of(whole.element(), file.dims(key).get());
      Optional<Literal> part = file.find(key, type);
      if (part.isEmpty()
          || !part.get().dims().equals(file.dims(ValueKeys.result(index, 0)).get())) {
        return Optional.empty();
      }
      out.add(part.get());
    }
    return Optional.of(out.build());
  }

  /**
   * Returns a line for each device that holds no part of {@code whole}, or one if one is missing.
   *
   * @param firstDevice the number of the device that holds the first of {@code parts}
   */
  static ImmutableList<String> differences(
      int index, int firstDevice, Literal whole, List<Literal> parts, Tolerance tolerance) {
    List<Literal> tiles = tiles(whole, parts.get(0));
    BitSet held = new BitSet();
    ImmutableList.Builder<String> out = ImmutableList.builder();
    for (int device = 0; device < parts.size(); device++) {
      Literal part = parts.get(device);
      int at = -1;
      int furthest = -1;
      int nearest = 0;
      for (int i = 0; i < tiles.size() && at < 0; i++) {
        OptionalInt difference = tolerance.firstDifference(part, tiles.get(i));
        if (difference.isEmpty()) {
          at = i;
        } else if (difference.getAsInt() > furthest) {
          furthest = difference.getAsInt();
          nearest = i;
        }
      }
      if (at >= 0) {
        held.set(at);
      } else {
        Literal tile = tiles.get(nearest);
        out.add(
            String.format(
                "%s is no part of the result: the likest differs at %s: got %s, expected %s",
                ValueKeys.result(index, firstDevice + device),
                Results.place(tile, furthest),
                Results.element(tile, furthest),
                Results.element(part, furthest)));
      }
    }
    ImmutableList<String> differences = out.build();
    // Equal tiles are found as the first of them.
    for (int i = 0; i < tiles.size() && differences.isEmpty(); i++) {
      Literal tile = tiles.get(i);
      if (!held.get(i)
          && held.stream()
              .noneMatch(h -> tolerance.firstDifference(tile, tiles.get(h)).isEmpty())) {
        return ImmutableList.of(String.format("part %d of out%d is held by no device", i, index));
      }
    }
    return differences;
  }

  private static List<Literal> tiles(Literal whole, Literal part) {
    int rank = whole.type().rank();
    long[] counts = new long[rank];
    long total = 1;
    for (int d = 0; d < rank; d++) {
      long size = Math.max(1, part.dims().get(d));
      counts[d] = Math.max(1, (whole.dims().get(d) + size - 1) / size);
      total *= counts[d];
    }
    long[] step = new long[rank];
    Arrays.fill(step, 1);
    List<Literal> out = new ArrayList<>();
    for (long i = 0; i < total; i++) {
      long rest = i;
      long[] start = new long[rank];
      long[] limit = new long[rank];
      for (int d = rank - 1; d >= 0; d--) {
        start[d] = rest % counts[d] * part.dims().get(d);
        limit[d] = Math.min(whole.dims().get(d), start[d] + part.dims().get(d));
        rest /= counts[d];
      }
      Literal tile = Movement.slice(whole, start, limit, step);
      if (tile.dims().equals(part.dims())) {
        out.add(tile);
      }
    }
    return out;
  }
}
