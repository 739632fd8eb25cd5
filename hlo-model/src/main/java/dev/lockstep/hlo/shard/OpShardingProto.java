package dev.lockstep.hlo.shard;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.shard.HloSharding.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bytes of an {@code xla.OpSharding}, which older texts keep in a string: {@code
 * "\08\03\1A\02\01\02\22\02\00\01"}.
 *
 * <p>Source: {@code xla_data.proto}; fields 1 type, 3 tile_assignment_dimensions, 4
 * tile_assignment_devices, 5 tuple_shardings, 6 replicate_on_last_tile_dim, 8 last_tile_dims, 9
 * iota_reshape_dims, 10 iota_transpose_perm.
 */
final class OpShardingProto {
  private static final int MAX_DEPTH = 100;
  private static final int TUPLE = 2;

  private final String bytes;
  private final int end;
  private int at;

  private OpShardingProto(String bytes, int at, int end) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  /** Reads {@code bytes}, one a character. */
  static HloSharding decode(String bytes) {
    return new OpShardingProto(bytes, 0, bytes.length()).message(0);
  }

  /** Returns the bytes of the elements when {@code bytes} are a tuple's, else null. */
  static @Nullable ImmutableList<String> elements(String bytes) {
    OpShardingProto in = new OpShardingProto(bytes, 0, bytes.length());
    ImmutableList.Builder<String> out = ImmutableList.builder();
    boolean isTuple = false;
    while (in.at < in.end) {
      long tag = in.varint();
      if (tag >>> 3 == 1) {
        isTuple = in.varint() == TUPLE;
      } else if (tag >>> 3 == 5) {
        int stop = in.length();
        out.add(bytes.substring(in.at, stop));
        in.at = stop;
      } else {
        in.skip((int) (tag & 7));
      }
    }
    return isTuple ? out.build() : null;
  }

  private HloSharding message(int depth) {
    long type = 0;
    List<Integer> dims = new ArrayList<>();
    List<Integer> devices = new ArrayList<>();
    List<Integer> lastDims = new ArrayList<>();
    List<Integer> reshape = new ArrayList<>();
    List<Integer> transpose = new ArrayList<>();
    ImmutableList.Builder<HloSharding> elements = ImmutableList.builder();
    boolean replicateLast = false;
    while (at < end) {
      long tag = varint();
      int field = (int) (tag >>> 3);
      int wire = (int) (tag & 7);
      switch (field) {
        case 1 -> type = varint();
        case 3 -> numbers(wire, dims);
        case 4 -> numbers(wire, devices);
        case 5 -> {
          int stop = length();
          if (depth > MAX_DEPTH) {
            throw wrong();
          }
          elements.add(new OpShardingProto(bytes, at, stop).message(depth + 1));
          at = stop;
        }
        case 6 -> replicateLast = varint() != 0;
        case 8 -> numbers(wire, lastDims);
        case 9 -> numbers(wire, reshape);
        case 10 -> numbers(wire, transpose);
        default -> skip(wire);
      }
    }
    return switch ((int) type) {
      case 0 -> HloSharding.of(Kind.REPLICATED);
      case 1 -> HloSharding.maximal(devices.isEmpty() ? 0 : devices.get(0));
      case TUPLE -> HloSharding.tuple(elements.build());
      case 3 ->
          HloSharding.tiled(
              ImmutableIntArray.copyOf(dims),
              reshape.isEmpty()
                  ? ImmutableIntArray.copyOf(devices)
                  : HloSharding.iota(
                      ImmutableIntArray.copyOf(reshape), ImmutableIntArray.copyOf(transpose)),
              replicateLast
                  ? ImmutableList.of(false)
                  : lastDims.stream()
                      .map(kind -> kind == 4)
                      .collect(ImmutableList.toImmutableList()));
      case 4 -> HloSharding.of(Kind.MANUAL);
      default -> HloSharding.of(Kind.UNKNOWN);
    };
  }

  private void numbers(int wire, List<Integer> out) {
    if (wire == 0) {
      out.add(Math.toIntExact(varint()));
      return;
    }
    int stop = length();
    while (at < stop) {
      out.add(Math.toIntExact(varint()));
    }
  }

  private void skip(int wire) {
    switch (wire) {
      case 0 -> varint();
      case 1 -> at += 8;
      case 2 -> at = length();
      case 5 -> at += 4;
      default -> throw wrong();
    }
  }

  private int length() {
    long length = varint();
    if (length < 0 || length > end - at) {
      throw wrong();
    }
    return at + (int) length;
  }

  private long varint() {
    long out = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at >= end) {
        throw wrong();
      }
      int next = bytes.charAt(at++);
      out |= (long) (next & 0x7F) << shift;
      if ((next & 0x80) == 0) {
        return out;
      }
    }
    throw wrong();
  }

  private static IllegalArgumentException wrong() {
    return new IllegalArgumentException("the sharding is neither a text nor an OpSharding proto");
  }
}
