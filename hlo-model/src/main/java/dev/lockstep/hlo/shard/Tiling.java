package dev.lockstep.hlo.shard;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Which part of one array each partition holds: every sharding comes down to this.
 *
 * <p>Dimension {@code d} is cut into {@code tiles.get(d)} parts of the same size; where that does
 * not divide the dimension, the last parts stand out beyond its end, and what stands out is zeros.
 * Partitions that hold the same part are copies of one another, unless the value is unreduced: then
 * the array is the sum of the parts of partitions with different {@link #summand}s. Where only some
 * axes of the devices lay out the array, partitions of different {@link #group}s hold parts of
 * arrays of their own.
 */
public final class Tiling {
  private final ImmutableIntArray tiles;
  private final int[][] tileOf;
  private final int[] summands;
  private final int[] groups;
  private final boolean manual;
  private final boolean open;

  private Tiling(
      ImmutableIntArray tiles,
      int[][] tileOf,
      int[] summands,
      int[] groups,
      boolean manual,
      boolean open) {
    this.tiles = tiles;
    this.tileOf = tileOf;
    this.summands = summands;
    this.groups = groups;
    this.manual = manual;
    this.open = open;
  }

  /** Returns the tiling under which each of {@code partitions} holds the whole array. */
  public static Tiling whole(int rank, int partitions) {
    return of(ones(rank), new int[partitions][rank], new int[partitions]);
  }

  /** Returns {@link #whole} where the program leaves the choice to the partitioner. */
  public static Tiling unsaid(int rank, int partitions) {
    return whole(rank, partitions).opened();
  }

  /** Returns the tiling of values that are what each partition says they are. */
  public static Tiling manual(int rank, int partitions) {
    int[] groups = new int[partitions];
    Arrays.setAll(groups, partition -> partition);
    return new Tiling(
        ones(rank), new int[partitions][rank], new int[partitions], groups, true, false);
  }

  /**
   * Returns a tiling.
   *
   * @param tiles the number of parts along each dimension
   * @param tileOf for each partition the part it holds along each dimension; null when it holds
   *     nothing
   * @param summands for each partition which summand of an unreduced value it holds, else 0
   */
  static Tiling of(ImmutableIntArray tiles, int[][] tileOf, int[] summands) {
    return new Tiling(tiles, tileOf, summands, new int[tileOf.length], false, false);
  }

  /** Returns this tiling, of one array for each of the given groups of partitions. */
  Tiling grouped(int[] newGroups) {
    return new Tiling(tiles, tileOf, summands, newGroups, manual, open);
  }

  /** Returns this tiling, from which the partitioner may cut further. */
  Tiling opened() {
    return new Tiling(tiles, tileOf, summands, groups, manual, true);
  }

  /** Returns this tiling without cuts along the dimensions that {@code kept} leaves out. */
  Tiling keeping(IntPredicate kept) {
    int[] newTiles = tiles.toArray();
    int[][] newTileOf = new int[tileOf.length][];
    for (int p = 0; p < tileOf.length; p++) {
      newTileOf[p] = tileOf[p].clone();
    }
    for (int d = 0; d < newTiles.length; d++) {
      if (!kept.test(d)) {
        newTiles[d] = 1;
        for (int[] tile : newTileOf) {
          tile[d] = 0;
        }
      }
    }
    return new Tiling(
        ImmutableIntArray.copyOf(newTiles), newTileOf, summands, groups, manual, open);
  }

  private static ImmutableIntArray ones(int rank) {
    int[] out = new int[rank];
    Arrays.fill(out, 1);
    return ImmutableIntArray.copyOf(out);
  }

  /** Returns the number of parts along each dimension. */
  public ImmutableIntArray tiles() {
    return tiles;
  }

  /** Returns the number of partitions. */
  public int partitions() {
    return tileOf.length;
  }

  /** Returns whether each partition has a value of its own, of the size that is written. */
  public boolean isManual() {
    return manual;
  }

  /** Returns whether the partitioner may cut further than this says. */
  public boolean isOpen() {
    return open;
  }

  /** Returns whether {@code partition} holds a part. */
  public boolean holds(int partition) {
    return tileOf[partition] != null;
  }

  /** Returns which summand of an unreduced value {@code partition} holds; 0 for all others. */
  public int summand(int partition) {
    return summands[partition];
  }

  /** Returns which array {@code partition} holds a part of. */
  public int group(int partition) {
    return groups[partition];
  }

  /** Returns the part that {@code partition} holds; partitions with equal parts hold copies. */
  public ImmutableIntArray tile(int partition) {
    int[] tile = tileOf[partition];
    checkArgument(tile != null, "partition %s holds nothing", partition);
    return ImmutableIntArray.copyOf(tile);
  }

  /**
   * Returns the sizes of the parts of an array of {@code dims}.
   *
   * @throws IllegalArgumentException if the ranks differ
   */
  public ImmutableLongArray local(ImmutableLongArray dims) {
    checkArgument(
        dims.length() == tiles.length(),
        "a sharding of %s dimensions stands on an array of %s",
        tiles.length(),
        dims.length());
    ImmutableLongArray.Builder out = ImmutableLongArray.builder(dims.length());
    for (int d = 0; d < dims.length(); d++) {
      out.add((dims.get(d) + tiles.get(d) - 1) / tiles.get(d));
    }
    return out.build();
  }

  /** Returns where the part of {@code partition} begins, for parts of the sizes {@code local}. */
  public long[] start(int partition, ImmutableLongArray local) {
    ImmutableIntArray tile = tile(partition);
    long[] out = new long[tile.length()];
    for (int d = 0; d < out.length; d++) {
      out[d] = tile.get(d) * local.get(d);
    }
    return out;
  }
}
