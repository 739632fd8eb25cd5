package dev.lockstep.hlo.shard;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.shard.SdySharding.SubAxis;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Axes of one mesh that are used together, each at most once; what is wrong is said by {@link
 * IllegalArgumentException}, in words for a diagnostic.
 */
final class AxisLists {
  private final DeviceMesh mesh;
  private final Set<SubAxis> seen = new HashSet<>();
  private final TreeMap<String, List<SubAxis>> parts = new TreeMap<>();

  AxisLists(DeviceMesh mesh) {
    this.mesh = mesh;
  }

  /** Adds a list, whose neighbours are written as one axis where they are one. */
  void add(ImmutableList<SubAxis> axes) {
    SubAxis before = null;
    for (SubAxis axis : axes) {
      checkArgument(
          mesh.names().contains(axis.axis()),
          "there is no axis \"%s\", the axes of the mesh are %s",
          axis.axis(),
          mesh.names());
      checkArgument(seen.add(axis), "the axis %s is used twice", axis);
      if (axis.isPart()) {
        parts.computeIfAbsent(axis.axis(), name -> new ArrayList<>()).add(axis);
        checkArgument(
            before == null || !joins(before, axis),
            "the axes %s and %s are written as one",
            before,
            axis);
      }
      before = axis;
    }
  }

  /** Adds a list that is in the order of the mesh. */
  void addSorted(String what, ImmutableList<SubAxis> axes) {
    checkArgument(
        axes.stream().allMatch(axis -> mesh.names().contains(axis.axis())),
        "%s axes %s are not all axes of the mesh, which are %s",
        what,
        axes,
        mesh.names());
    checkArgument(
        axes.equals(sorted(axes, mesh)), "%s axes %s are not in the order of the mesh", what, axes);
    add(axes);
  }

  /** Checks that the parts of each axis are parts, and do not overlap. */
  void end() {
    for (String name : parts.keySet()) {
      int full = mesh.sizes().get(mesh.axis(name));
      checkArgument(
          !seen.contains(new SubAxis(name, 1, 0)),
          "both the whole axis \"%s\" and a part of it are used",
          name);
      SubAxis last = null;
      for (SubAxis part : sorted(ImmutableList.copyOf(parts.get(name)), mesh)) {
        checkArgument(part.before() >= 1, "the part %s begins before 1", part);
        checkArgument(part.size() > 1, "the part %s has not more than one position", part);
        checkArgument(
            full % Math.multiplyExact(part.before(), part.size()) == 0,
            "the axis \"%s\" of size %s has no part %s",
            name,
            full,
            part);
        checkArgument(part.size() != full, "the part %s is the whole axis", part);
        checkArgument(
            last == null || last.before() * last.size() <= part.before(),
            "the parts %s and %s overlap",
            last,
            part);
        last = part;
      }
    }
  }

  /** Returns {@code axes} in the order of {@code mesh}, in which all of them are. */
  static ImmutableList<SubAxis> sorted(ImmutableList<SubAxis> axes, DeviceMesh mesh) {
    return ImmutableList.sortedCopyOf(
        Comparator.<SubAxis>comparingInt(axis -> mesh.axis(axis.axis()))
            .thenComparingInt(SubAxis::before)
            .thenComparingInt(axis -> axis.sizeIn(mesh)),
        axes);
  }

  /** Returns whether {@code second} goes on where {@code first}, a part too, ends. */
  private static boolean joins(SubAxis first, SubAxis second) {
    return first.isPart()
        && second.isPart()
        && first.axis().equals(second.axis())
        && first.before() * first.size() == second.before();
  }

  /** Returns whether the two have positions in common that are not one. */
  static boolean overlap(SubAxis first, SubAxis second) {
    return first.axis().equals(second.axis())
        && (!first.isPart()
            || !second.isPart()
            || Math.max(first.before(), second.before())
                < Math.min(first.before() * first.size(), second.before() * second.size()));
  }

  /** Returns {@code axes} with {@code more} behind them, written as one where they are one. */
  static ImmutableList<SubAxis> joined(
      ImmutableList<SubAxis> axes, ImmutableList<SubAxis> more, DeviceMesh mesh) {
    List<SubAxis> out = new ArrayList<>(axes);
    for (SubAxis axis : more) {
      SubAxis last = out.isEmpty() ? null : out.get(out.size() - 1);
      if (last != null && joins(last, axis)) {
        out.set(out.size() - 1, part(last.axis(), last.before(), last.size() * axis.size(), mesh));
      } else {
        out.add(axis);
      }
    }
    return ImmutableList.copyOf(out);
  }

  private static SubAxis part(String name, int before, int size, DeviceMesh mesh) {
    boolean whole = before == 1 && size == mesh.sizes().get(mesh.axis(name));
    return new SubAxis(name, before, whole ? 0 : size);
  }

  /** Returns {@code axes} without {@code ending}, or null where they do not end with it. */
  static @Nullable ImmutableList<SubAxis> without(
      ImmutableList<SubAxis> axes, ImmutableList<SubAxis> ending, DeviceMesh mesh) {
    List<SubAxis> out = new ArrayList<>(axes);
    for (SubAxis gone : ending.reverse()) {
      SubAxis last = out.isEmpty() ? null : out.remove(out.size() - 1);
      if (last == null || !last.axis().equals(gone.axis())) {
        return null;
      }
      int size = gone.sizeIn(mesh);
      if (gone.before() * size != last.before() * last.sizeIn(mesh)
          || gone.before() % last.before() != 0) {
        return null;
      }
      if (gone.before() > last.before()) {
        out.add(part(last.axis(), last.before(), gone.before() / last.before(), mesh));
      }
    }
    return ImmutableList.copyOf(out);
  }
}
