package dev.lockstep.hlo.grid;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import java.util.ArrayList;
import java.util.List;

/** Groups of devices along axes of a mesh. */
public final class MeshGroups {
  private MeshGroups() {}

  /**
   * A part of an axis.
   *
   * @param axis which axis
   * @param before product of the sizes of the parts of this axis left of it
   * @param size its size
   */
  public record Part(int axis, long before, long size) {}

  /**
   * Returns the groups: the axes are split where {@code parts} ask for it; devices that differ only
   * in the named parts form a group, with the last named part running fastest; groups follow the
   * other parts in mesh order.
   */
  public static ImmutableList<ImmutableLongArray> groups(
      List<Long> sizes, List<Part> parts, long[] ids) {
    long[] axisStride = new long[sizes.size()];
    long stride = 1;
    for (int axis = sizes.size() - 1; axis >= 0; axis--) {
      axisStride[axis] = stride;
      stride *= sizes.get(axis);
    }
    long[] inside = offsets(parts, sizes, axisStride);
    long[] outside = offsets(rest(parts, sizes), sizes, axisStride);
    ImmutableList.Builder<ImmutableLongArray> out = ImmutableList.builder();
    for (long base : outside) {
      ImmutableLongArray.Builder group = ImmutableLongArray.builder(inside.length);
      for (long offset : inside) {
        group.add(ids[(int) (base + offset)]);
      }
      out.add(group.build());
    }
    return out.build();
  }

  private static List<Part> rest(List<Part> parts, List<Long> sizes) {
    List<Part> out = new ArrayList<>();
    for (int axis = 0; axis < sizes.size(); axis++) {
      long before = 1;
      List<Part> taken = new ArrayList<>();
      for (Part part : parts) {
        if (part.axis() == axis) {
          taken.add(part);
        }
      }
      taken.sort((a, b) -> Long.compare(a.before(), b.before()));
      for (Part part : taken) {
        if (part.before() > before) {
          out.add(new Part(axis, before, part.before() / before));
        }
        before = part.before() * part.size();
      }
      if (before < sizes.get(axis)) {
        out.add(new Part(axis, before, sizes.get(axis) / before));
      }
    }
    return out;
  }

  private static long[] offsets(List<Part> parts, List<Long> sizes, long[] axisStride) {
    long[] out = {0};
    for (Part part : parts) {
      long step =
          axisStride[part.axis()] * (sizes.get(part.axis()) / (part.before() * part.size()));
      long[] next = new long[Math.toIntExact(out.length * part.size())];
      int at = 0;
      for (long offset : out) {
        for (long i = 0; i < part.size(); i++) {
          next[at++] = offset + i * step;
        }
      }
      out = next;
    }
    return out;
  }
}
