package dev.lockstep.hlo.shard;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.grid.ReplicaGroups;
import org.jspecify.annotations.Nullable;

/**
 * XLA's own sharding: {@code {devices=[2,1,4]<=[8] last_tile_dim_replicate}}, {@code {replicated}},
 * {@code {maximal device=3}}, {@code {manual}}, {@code {unknown}}, and tuples of them.
 *
 * <p>Source: {@code HloSharding::ToString} in {@code xla/hlo/ir/hlo_sharding.cc} and {@code
 * OpSharding} in {@code xla_data.proto}.
 *
 * @param kind which form it is
 * @param dims of {@code devices=}: parts along each dimension, then the trailing ones
 * @param devices of {@code devices=}: the partition of each tile, last dimension fastest; of {@code
 *     maximal}: the one that holds the value
 * @param trailing for each of the last {@code dims} that is no dimension of the array, whether
 *     devices have values of their own along it
 * @param elements of a tuple: a sharding for each leaf
 */
record HloSharding(
    Kind kind,
    ImmutableIntArray dims,
    ImmutableIntArray devices,
    ImmutableList<Boolean> trailing,
    ImmutableList<HloSharding> elements) {

  /** The forms. */
  enum Kind {
    REPLICATED,
    MAXIMAL,
    MANUAL,
    UNKNOWN,
    TILED,
    TUPLE
  }

  static HloSharding of(Kind kind) {
    return new HloSharding(
        kind,
        ImmutableIntArray.of(),
        ImmutableIntArray.of(),
        ImmutableList.of(),
        ImmutableList.of());
  }

  static HloSharding maximal(int device) {
    return new HloSharding(
        Kind.MAXIMAL,
        ImmutableIntArray.of(),
        ImmutableIntArray.of(device),
        ImmutableList.of(),
        ImmutableList.of());
  }

  static HloSharding tuple(ImmutableList<HloSharding> elements) {
    return new HloSharding(
        Kind.TUPLE, ImmutableIntArray.of(), ImmutableIntArray.of(), ImmutableList.of(), elements);
  }

  static HloSharding tiled(
      ImmutableIntArray dims, ImmutableIntArray devices, ImmutableList<Boolean> trailing) {
    int count = 1;
    for (int i = 0; i < dims.length(); i++) {
      count = Math.multiplyExact(count, dims.get(i));
    }
    checkArgument(
        count == devices.length(),
        "a sharding over %s tiles names %s devices",
        count,
        devices.length());
    checkArgument(trailing.size() <= dims.length(), "more trailing dimensions than dimensions");
    return new HloSharding(Kind.TILED, dims, devices, trailing, ImmutableList.of());
  }

  /** Returns the order of devices that {@code <=[reshape]T(transpose)} stands for. */
  static ImmutableIntArray iota(ImmutableIntArray reshape, @Nullable ImmutableIntArray transpose) {
    int count = 1;
    for (int i = 0; i < reshape.length(); i++) {
      count = Math.multiplyExact(count, reshape.get(i));
    }
    ImmutableLongArray ids =
        new ReplicaGroups.Iota(
                1, count, longs(reshape), transpose == null ? null : longs(transpose))
            .lists()
            .get(0);
    ImmutableIntArray.Builder out = ImmutableIntArray.builder(count);
    ids.forEach(id -> out.add(Math.toIntExact(id)));
    return out.build();
  }

  private static ImmutableLongArray longs(ImmutableIntArray values) {
    ImmutableLongArray.Builder out = ImmutableLongArray.builder(values.length());
    for (int i = 0; i < values.length(); i++) {
      out.add(values.get(i));
    }
    return out.build();
  }

  /** Reads the text form, or the bytes of an {@code OpSharding} that stand in a string. */
  static HloSharding parse(String text) {
    if (!text.stripLeading().startsWith("{")) {
      return OpShardingProto.decode(text);
    }
    ShardingText in = new ShardingText(text);
    HloSharding out = parse(in);
    if (!in.isAtEnd()) {
      throw in.error("the end");
    }
    return out;
  }

  /** Returns the texts of the elements when {@code text} is a tuple, else null. */
  static @Nullable ImmutableList<String> elements(String text) {
    ShardingText in = new ShardingText(text);
    in.expect("{");
    if (!in.comes("{") && !in.comes("/*") && !in.comes("}")) {
      return null;
    }
    ImmutableList.Builder<String> out = ImmutableList.builder();
    if (!in.eat("}")) {
      do {
        comment(in);
        out.add(in.group('{', '}'));
      } while (in.eat(","));
      in.expect("}");
    }
    return out.build();
  }

  private static HloSharding parse(ShardingText in) {
    in.expect("{");
    if (in.comes("{") || in.comes("/*") || in.comes("}")) {
      ImmutableList.Builder<HloSharding> elements = ImmutableList.builder();
      if (!in.eat("}")) {
        do {
          comment(in);
          elements.add(parse(in));
        } while (in.eat(","));
        in.expect("}");
      }
      return tuple(elements.build());
    }
    HloSharding out = of(Kind.UNKNOWN);
    ImmutableIntArray dims = null;
    ImmutableIntArray devices = ImmutableIntArray.of();
    ImmutableList<Boolean> trailing = ImmutableList.of();
    while (!in.eat("}")) {
      if (in.eat("devices")) {
        in.expect("=");
        in.expect("[");
        dims = in.integers("]");
        devices = assignment(in);
      } else if (in.eat("device")) {
        in.expect("=");
        out = maximal(in.integer());
      } else if (in.eat("last_tile_dim_replicate")) {
        trailing = ImmutableList.of(false);
      } else if (in.eat("last_tile_dims")) {
        in.expect("=");
        in.expect("{");
        trailing =
            in.words("}").stream()
                .map(word -> word.equals("manual"))
                .collect(ImmutableList.toImmutableList());
      } else if (in.eat("metadata")) {
        in.expect("=");
        in.skipBraces();
      } else if (in.eat("replicated")) {
        out = of(Kind.REPLICATED);
      } else if (in.eat("manual")) {
        out = of(Kind.MANUAL);
      } else if (in.eat("maximal")) {
        out = maximal(0);
      } else if (in.eat("unreduced") || in.eat("unknown")) {
        out = of(Kind.UNKNOWN);
      } else if (in.eat("shard_as") || in.eat("shard_like")) {
        in.integer();
      } else {
        throw in.error("a part of a sharding");
      }
    }
    return dims == null ? out : tiled(dims, devices, trailing);
  }

  private static void comment(ShardingText in) {
    if (in.eat("/*")) {
      in.expect("index=");
      in.integer();
      in.expect("*/");
    }
  }

  private static ImmutableIntArray assignment(ShardingText in) {
    if (!in.eat("<=")) {
      ImmutableIntArray.Builder out = ImmutableIntArray.builder();
      do {
        out.add(in.integer());
      } while (in.eat(","));
      return out.build();
    }
    in.expect("[");
    ImmutableIntArray reshape = in.integers("]");
    if (!in.eat("T(")) {
      return iota(reshape, null);
    }
    return iota(reshape, in.integers(")"));
  }

  /** Returns how many devices it names, 0 when it does for any number. */
  int size() {
    int most = kind == Kind.TILED ? devices.length() : 0;
    for (HloSharding element : elements) {
      most = Math.max(most, element.size());
    }
    return most;
  }

  /**
   * Returns where the parts of an array of {@code rank} dimensions lie.
   *
   * @throws IllegalArgumentException if the devices are not the partitions
   */
  Tiling tiling(int rank, int partitions) {
    switch (kind) {
      case REPLICATED:
        return Tiling.whole(rank, partitions);
      case UNKNOWN:
        return Tiling.unsaid(rank, partitions);
      case MANUAL:
        return Tiling.manual(rank, partitions);
      case MAXIMAL:
        checkArgument(devices.get(0) < partitions, "there is no device %s", devices.get(0));
        int[][] holder = new int[partitions][];
        holder[devices.get(0)] = new int[rank];
        int[] ones = new int[rank];
        java.util.Arrays.fill(ones, 1);
        return Tiling.of(ImmutableIntArray.copyOf(ones), holder, new int[partitions]);
      case TUPLE:
        throw new IllegalArgumentException("the sharding of a tuple stands on one array");
      default:
        return tiled(rank, partitions);
    }
  }

  private Tiling tiled(int rank, int partitions) {
    checkArgument(
        dims.length() == rank + trailing.size(),
        "a sharding of %s dimensions stands on an array of %s",
        dims.length() - trailing.size(),
        rank);
    checkArgument(
        devices.length() == partitions,
        "a sharding names %s devices, there are %s partitions",
        devices.length(),
        partitions);
    int[][] tileOf = new int[partitions][];
    int[] groups = new int[partitions];
    int[] index = new int[dims.length()];
    for (int i = 0; i < devices.length(); i++) {
      int device = devices.get(i);
      checkArgument(
          device < partitions && tileOf[device] == null,
          "a sharding names device %s twice, or there is none",
          device);
      tileOf[device] = java.util.Arrays.copyOf(index, rank);
      for (int d = rank; d < index.length; d++) {
        if (trailing.get(d - rank)) {
          groups[device] = groups[device] * dims.get(d) + index[d];
        }
      }
      for (int d = index.length - 1; d >= 0; d--) {
        if (++index[d] < dims.get(d)) {
          break;
        }
        index[d] = 0;
      }
    }
    return Tiling.of(dims.subArray(0, rank), tileOf, new int[partitions]).grouped(groups);
  }
}
