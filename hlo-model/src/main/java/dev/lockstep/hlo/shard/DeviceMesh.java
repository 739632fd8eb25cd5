package dev.lockstep.hlo.shard;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import java.util.HashSet;
import java.util.Set;

/**
 * Devices laid out along named axes: {@code sdy.mesh}.
 *
 * <p>Position {@code i} of the mesh, counted with the last axis fastest, is the device {@code
 * devices.get(i)}. A mesh without axes stands for the one device it names, or for one device.
 *
 * @param names the names of the axes, from the slowest to the fastest
 * @param sizes their sizes, at least 1
 * @param devices the partition at each position
 */
public record DeviceMesh(
    ImmutableList<String> names, ImmutableIntArray sizes, ImmutableIntArray devices) {

  /** Checks that there is a device for each position. */
  public DeviceMesh {
    checkArgument(names.size() == sizes.length(), "an axis needs a name and a size");
    checkArgument(new HashSet<>(names).size() == names.size(), "two axes have one name");
    long count = 1;
    for (int i = 0; i < sizes.length(); i++) {
      checkArgument(sizes.get(i) >= 1, "axis \"%s\" has the size %s", names.get(i), sizes.get(i));
      count *= sizes.get(i);
    }
    checkArgument(
        count == devices.length(),
        "a mesh of %s positions names %s devices",
        count,
        devices.length());
    Set<Integer> seen = new HashSet<>(devices.asList());
    checkArgument(seen.size() == devices.length(), "a mesh names a device twice");
  }

  private static ImmutableIntArray iota(int count) {
    ImmutableIntArray.Builder out = ImmutableIntArray.builder(count);
    for (int i = 0; i < count; i++) {
      out.add(i);
    }
    return out.build();
  }

  /**
   * Reads {@code <["x"=4, "y"=2], device_ids=[...]>}, with or without {@code #sdy.mesh} before it.
   *
   * @throws IllegalArgumentException if it is something else, in words for a diagnostic
   */
  public static DeviceMesh parse(String text) {
    ShardingText in = new ShardingText(text);
    in.eat("#sdy.mesh");
    DeviceMesh out = parse(in);
    if (!in.isAtEnd()) {
      throw in.error("the end");
    }
    return out;
  }

  static DeviceMesh parse(ShardingText in) {
    in.expect("<");
    in.expect("[");
    ImmutableList.Builder<String> names = ImmutableList.builder();
    ImmutableIntArray.Builder sizes = ImmutableIntArray.builder();
    int count = 1;
    if (!in.eat("]")) {
      do {
        names.add(in.string());
        in.expect("=");
        int size = in.integer();
        sizes.add(size);
        count = Math.multiplyExact(count, size);
      } while (in.eat(","));
      in.expect("]");
    }
    ImmutableIntArray devices = iota(count);
    if (in.eat(",")) {
      in.expect("device_ids");
      in.expect("=");
      in.expect("[");
      devices = in.integers("]");
    }
    in.expect(">");
    return new DeviceMesh(names.build(), sizes.build(), devices);
  }

  /** Returns the number of devices. */
  public int size() {
    return devices.length();
  }

  /** Returns whether this stands for one device by its number. */
  public boolean isMaximal() {
    return names.isEmpty() && devices.get(0) != 0;
  }

  /** Returns the position of {@code device}, or -1 when the mesh does not hold it. */
  public int position(int device) {
    return devices.indexOf(device);
  }

  /** Returns where position {@code position} lies along axis number {@code axis}. */
  public int coordinate(int position, int axis) {
    int faster = 1;
    for (int i = axis + 1; i < sizes.length(); i++) {
      faster *= sizes.get(i);
    }
    return position / faster % sizes.get(axis);
  }

  /**
   * Returns the number of the axis called {@code name}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public int axis(String name) {
    int axis = names.indexOf(name);
    checkArgument(axis >= 0, "the mesh has no axis \"%s\", its axes are %s", name, names);
    return axis;
  }

  /** Returns the axes and sizes as MLIR writes them. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder("<[");
    for (int i = 0; i < names.size(); i++) {
      out.append(i == 0 ? "" : ", ");
      out.append('"').append(names.get(i)).append("\"=").append(sizes.get(i));
    }
    return out.append("]>").toString();
  }
}
