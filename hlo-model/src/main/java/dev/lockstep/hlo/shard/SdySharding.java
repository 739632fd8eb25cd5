package dev.lockstep.hlo.shard;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.math.LongMath;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Shardy's {@code #sdy.sharding<@mesh, [{"x", "y":(1)2}, {?}], replicated={}, unreduced={}>}.
 *
 * @param mesh the mesh, or null when {@code symbol} names it
 * @param symbol the name of the mesh, or null
 * @param cuts how each dimension is cut
 * @param replicated axes along which nothing may be cut
 * @param unreduced axes along which partitions hold summands, or what else is to be combined
 * @param combine how that is combined: sum, max or min
 */
record SdySharding(
    @Nullable DeviceMesh mesh,
    @Nullable String symbol,
    ImmutableList<Cut> cuts,
    ImmutableList<SubAxis> replicated,
    ImmutableList<SubAxis> unreduced,
    String combine) {

  /**
   * How a dimension is cut.
   *
   * @param axes the axes that cut it, the slowest first
   * @param open whether it may be cut further
   * @param priority the order of a partitioner's choices, which says nothing of where values lie;
   *     -1 where none is given
   */
  record Cut(ImmutableList<SubAxis> axes, boolean open, int priority) {}

  /**
   * An axis, or a part of one: the axis is seen as {@code before * size * rest}, last fastest.
   *
   * @param axis its name
   * @param before how often the part repeats; 1 for a whole axis
   * @param size the size of the part, or 0 for the whole axis
   */
  record SubAxis(String axis, int before, int size) {
    /** Returns whether this is a part of an axis. */
    boolean isPart() {
      return size != 0;
    }

    int sizeIn(DeviceMesh mesh) {
      return size == 0 ? mesh.sizes().get(mesh.axis(axis)) : size;
    }

    int coordinate(DeviceMesh mesh, int position) {
      int number = mesh.axis(axis);
      int whole = mesh.coordinate(position, number);
      if (size == 0) {
        return whole;
      }
      int full = mesh.sizes().get(number);
      checkArgument(
          full % (before * size) == 0,
          "axis \"%s\" of size %s has no part (%s)%s",
          axis,
          full,
          before,
          size);
      return whole / (full / (before * size)) % size;
    }

    @Override
    public String toString() {
      return "\"" + axis + "\"" + (isPart() ? ":(" + before + ")" + size : "");
    }
  }

  /** Reads a sharding, with or without {@code #sdy.sharding} before it. */
  static SdySharding parse(String text) {
    ShardingText in = new ShardingText(text);
    in.eat("#sdy.sharding");
    SdySharding out = parse(in);
    if (!in.isAtEnd()) {
      throw in.error("the end");
    }
    return out;
  }

  /** Reads {@code #sdy.sharding_per_value<[<...>, <...>]>}, with or without the words before it. */
  static ImmutableList<SdySharding> parseList(String text) {
    ShardingText in = new ShardingText(text);
    boolean wrapped = in.eat("#sdy.sharding_per_value") && in.eat("<");
    in.expect("[");
    ImmutableList.Builder<SdySharding> out = ImmutableList.builder();
    if (!in.eat("]")) {
      do {
        in.eat("#sdy.sharding");
        out.add(parse(in));
      } while (in.eat(","));
      in.expect("]");
    }
    if (wrapped) {
      in.expect(">");
    }
    return out.build();
  }

  /** Returns the texts of the elements of what {@link #parseList} reads. */
  static ImmutableList<String> elements(String text) {
    ShardingText in = new ShardingText(text);
    if (in.eat("#sdy.sharding_per_value")) {
      in.expect("<");
    }
    in.expect("[");
    ImmutableList.Builder<String> out = ImmutableList.builder();
    if (!in.eat("]")) {
      do {
        in.eat("#sdy.sharding");
        out.add("#sdy.sharding" + in.group('<', '>'));
      } while (in.eat(","));
      in.expect("]");
    }
    return out.build();
  }

  /** Reads {@code #sdy<manual_axes{"x", "y"}>}, with or without the words before it. */
  static ImmutableList<String> parseAxes(String text) {
    ShardingText in = new ShardingText(text);
    in.eat("#sdy<manual_axes");
    in.eat("#sdy.manual_axes<");
    ImmutableList.Builder<String> out = ImmutableList.builder();
    for (SubAxis axis : axes(in)) {
      out.add(axis.axis());
    }
    return out.build();
  }

  private static SdySharding parse(ShardingText in) {
    in.expect("<");
    DeviceMesh mesh = null;
    String symbol = null;
    if (in.comes("@")) {
      symbol = in.symbol();
    } else {
      in.expect("mesh");
      mesh = DeviceMesh.parse(in);
    }
    in.expect(",");
    in.expect("[");
    ImmutableList.Builder<Cut> cuts = ImmutableList.builder();
    if (!in.eat("]")) {
      do {
        cuts.add(cut(in));
      } while (in.eat(","));
      in.expect("]");
    }
    ImmutableList<SubAxis> replicated = ImmutableList.of();
    ImmutableList<SubAxis> unreduced = ImmutableList.of();
    String combine = "sum";
    while (in.eat(",")) {
      if (replicated.isEmpty() && in.eat("replicated")) {
        in.expect("=");
        replicated = axes(in);
      } else if (unreduced.isEmpty() && in.eat("unreduced")) {
        in.expect("=");
        combine = in.eat("max") ? "max" : in.eat("min") ? "min" : combine;
        in.eat(combine);
        unreduced = axes(in);
      } else {
        throw in.error("'replicated' or 'unreduced' before the axes, each once");
      }
    }
    in.expect(">");
    return new SdySharding(mesh, symbol, cuts.build(), replicated, unreduced, combine);
  }

  private static Cut cut(ShardingText in) {
    in.expect("{");
    ImmutableList.Builder<SubAxis> axes = ImmutableList.builder();
    boolean open = false;
    if (!in.eat("}")) {
      do {
        open = in.eat("?");
        if (!open) {
          axes.add(axis(in));
        }
      } while (!open && in.eat(","));
      in.expect("}");
    }
    int priority = -1;
    if (in.eat("p")) {
      boolean isZero = in.comes("0");
      priority = in.integer();
      checkArgument(!isZero || priority == 0, "a priority has no zeros before it");
    }
    return new Cut(axes.build(), open, priority);
  }

  /** Returns the axes that cut dimension {@code d}, the slowest first. */
  ImmutableList<SubAxis> axes(int d) {
    return cuts.get(d).axes();
  }

  /** Returns the number of dimensions. */
  int rank() {
    return cuts.size();
  }

  /** Reads axes in braces. */
  static ImmutableList<SubAxis> axes(ShardingText in) {
    in.expect("{");
    ImmutableList.Builder<SubAxis> out = ImmutableList.builder();
    if (!in.eat("}")) {
      do {
        out.add(axis(in));
      } while (in.eat(","));
      in.expect("}");
    }
    return out.build();
  }

  private static SubAxis axis(ShardingText in) {
    String name = in.string();
    if (!in.eat(":")) {
      return new SubAxis(name, 1, 0);
    }
    in.expect("(");
    int before = in.integer();
    in.expect(")");
    return new SubAxis(name, before, in.integer());
  }

  DeviceMesh meshIn(Function<String, DeviceMesh> meshes) {
    if (mesh != null) {
      return mesh;
    }
    checkArgument(symbol != null, "a sharding needs a mesh");
    return meshes.apply(symbol);
  }

  /**
   * Returns what Shardy makes of this on an argument or result of the entry function of sizes
   * {@code sizes}: along each dimension the longest beginning of the axes that cuts it into equal
   * parts, the last of them maybe a part of an axis. Callers of programs need not pad then.
   *
   * <p>Source: {@code update_non_divisible_input_output_shardings.mlir} in Shardy's tests.
   */
  SdySharding even(Function<String, DeviceMesh> meshes, ImmutableLongArray sizes) {
    DeviceMesh laid = meshIn(meshes);
    if (laid.isMaximal() || rank() != sizes.length()) {
      return this;
    }
    ImmutableList.Builder<Cut> out = ImmutableList.builder();
    for (int d = 0; d < rank(); d++) {
      Cut cut = cuts.get(d);
      out.add(new Cut(even(cut.axes(), laid, sizes.get(d)), cut.open(), cut.priority()));
    }
    return new SdySharding(mesh, symbol, out.build(), replicated, unreduced, combine);
  }

  private static ImmutableList<SubAxis> even(
      ImmutableList<SubAxis> axes, DeviceMesh laid, long size) {
    ImmutableList.Builder<SubAxis> out = ImmutableList.builder();
    long left = size;
    for (SubAxis axis : axes) {
      int count = axis.sizeIn(laid);
      int common = (int) LongMath.gcd(left, count);
      if (common < count) {
        if (common > 1) {
          out.add(new SubAxis(axis.axis(), axis.before(), common));
        }
        break;
      }
      out.add(axis);
      left /= count;
    }
    return out.build();
  }

  /**
   * Returns where the parts lie.
   *
   * @param meshes finds a mesh by its name
   * @param partitions how many partitions there are
   * @param cutting which axes lay out the array; there is an array for each place along the others
   * @throws IllegalArgumentException if the mesh does not fit the partitions
   */
  Tiling tiling(Function<String, DeviceMesh> meshes, int partitions, Predicate<String> cutting) {
    DeviceMesh laid = meshIn(meshes);
    if (laid.isMaximal()) {
      return maximal(laid, partitions);
    }
    checkArgument(
        laid.size() == partitions || laid.size() == 1,
        "the mesh %s has %s devices, there are %s partitions",
        laid,
        laid.size(),
        partitions);
    checkArgument(
        unreduced.isEmpty() || combine.equals("sum"),
        "arrays of which a %s is to be taken are not run",
        combine);
    int rank = rank();
    int[] tiles = new int[rank];
    for (int d = 0; d < rank; d++) {
      tiles[d] = 1;
      for (SubAxis axis : axes(d)) {
        tiles[d] *= cutting.test(axis.axis()) ? axis.sizeIn(laid) : 1;
      }
    }
    int[][] tileOf = new int[partitions][];
    int[] summands = new int[partitions];
    int[] groups = new int[partitions];
    for (int p = 0; p < partitions; p++) {
      int position = laid.size() == 1 ? 0 : laid.position(p);
      checkArgument(position >= 0, "the mesh %s does not hold device %s", laid, p);
      int[] tile = new int[rank];
      for (int d = 0; d < rank; d++) {
        tile[d] = mixed(axes(d), laid, position, cutting);
      }
      tileOf[p] = tile;
      summands[p] = mixed(unreduced, laid, position, cutting);
      for (int axis = 0; axis < laid.names().size(); axis++) {
        if (!cutting.test(laid.names().get(axis))) {
          groups[p] = groups[p] * laid.sizes().get(axis) + laid.coordinate(position, axis);
        }
      }
    }
    Tiling out = Tiling.of(ImmutableIntArray.copyOf(tiles), tileOf, summands).grouped(groups);
    return cuts.stream().anyMatch(Cut::open) ? out.opened() : out;
  }

  private Tiling maximal(DeviceMesh laid, int partitions) {
    int holder = laid.devices().get(0);
    checkArgument(holder < partitions, "there is no device %s", holder);
    int[][] tileOf = new int[partitions][];
    tileOf[holder] = new int[rank()];
    int[] tiles = new int[rank()];
    java.util.Arrays.fill(tiles, 1);
    return Tiling.of(ImmutableIntArray.copyOf(tiles), tileOf, new int[partitions]);
  }

  private static int mixed(
      ImmutableList<SubAxis> axes, DeviceMesh laid, int position, Predicate<String> cutting) {
    int out = 0;
    for (SubAxis axis : axes) {
      if (cutting.test(axis.axis())) {
        out = out * axis.sizeIn(laid) + axis.coordinate(laid, position);
      }
    }
    return out;
  }
}
