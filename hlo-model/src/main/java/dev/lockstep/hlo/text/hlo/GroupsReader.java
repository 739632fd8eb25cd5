package dev.lockstep.hlo.text.hlo;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.grid.MeshGroups;
import dev.lockstep.hlo.grid.ReplicaGroups;
import java.util.ArrayList;
import java.util.List;

/** Reads groups of ids: lists, iota tiles, and axes of a mesh. */
final class GroupsReader {
  /** More ids than any machine has devices. */
  private static final long MAX_IDS = 1L << 24;

  private final Cursor in;

  private GroupsReader(Cursor in) {
    this.in = in;
  }

  /** Reads the value that starts at the cursor. */
  static Attribute read(Cursor in, int begin) {
    GroupsReader reader = new GroupsReader(in);
    int c = in.peek();
    if (c == '[') {
      return new Attribute.Groups(reader.iota());
    }
    if (c == 'm') {
      return new Attribute.Groups(reader.mesh(begin));
    }
    return new Attribute.Groups(reader.lists());
  }

  private ReplicaGroups lists() {
    in.expect('{');
    ImmutableList.Builder<ImmutableLongArray> groups = ImmutableList.builder();
    if (!in.accept('}')) {
      do {
        in.expect('{');
        ImmutableLongArray.Builder group = ImmutableLongArray.builder();
        if (!in.accept('}')) {
          do {
            group.add(in.integer());
          } while (in.accept(','));
          in.expect('}');
        }
        groups.add(group.build());
      } while (in.accept(','));
      in.expect('}');
    }
    in.expectEnd();
    return new ReplicaGroups.Lists(groups.build());
  }

  private ReplicaGroups iota() {
    int begin = in.at;
    ImmutableLongArray tile = dims('[', ']');
    if (tile.length() != 2) {
      throw in.error(begin, in.at, "expected two sizes: the number of groups and their size");
    }
    in.expect('<');
    in.expect('=');
    ImmutableLongArray reshape = dims('[', ']');
    ImmutableLongArray transpose = null;
    if (in.accept('T')) {
      transpose = dims('(', ')');
      checkPermutation(transpose, reshape.length(), begin);
    }
    in.expectEnd();
    long ids = product(reshape, begin);
    if (ids != product(tile, begin)) {
      throw in.error(
          begin, in.at, "the tile has " + product(tile, begin) + " places for " + ids + " ids");
    }
    return new ReplicaGroups.Iota(tile.get(0), tile.get(1), reshape, transpose);
  }

  private void checkPermutation(ImmutableLongArray transpose, int rank, int begin) {
    boolean[] seen = new boolean[rank];
    boolean good = transpose.length() == rank;
    for (int i = 0; good && i < rank; i++) {
      long at = transpose.get(i);
      good = at >= 0 && at < rank && !seen[(int) at];
      if (good) {
        seen[(int) at] = true;
      }
    }
    if (!good) {
      throw in.error(begin, in.at, "T(...) must be a permutation of " + rank + " dimensions");
    }
  }

  private long product(ImmutableLongArray dims, int begin) {
    long product = 1;
    for (int i = 0; i < dims.length(); i++) {
      long dim = dims.get(i);
      if (dim < 1 || product > MAX_IDS / dim) {
        throw in.error(begin, in.at, "these sizes make no sensible number of devices");
      }
      product *= dim;
    }
    return product;
  }

  private ImmutableLongArray dims(char open, char close) {
    in.expect(open);
    ImmutableLongArray.Builder out = ImmutableLongArray.builder();
    if (!in.accept(close)) {
      do {
        out.add(in.integer());
      } while (in.accept(','));
      in.expect(close);
    }
    return out.build();
  }

  /**
   * Reads {@code mesh['a'=4,'b'=2] {'a'}}, maybe with {@code device_ids=([4,2]T(1,0))} or {@code
   * (0,1,...)}, and sub-axes {@code 'a':(1)2}: the groups run along the named axes, in their order.
   */
  private ReplicaGroups mesh(int begin) {
    String keyword = in.word();
    if (!keyword.equals("mesh")) {
      throw in.error(begin, in.at, "expected '{', '[' or 'mesh['");
    }
    List<String> names = new ArrayList<>();
    List<Long> sizes = new ArrayList<>();
    in.expect('[');
    if (!in.accept(']')) {
      do {
        names.add(axisName());
        in.expect('=');
        sizes.add(in.integer());
      } while (in.accept(','));
      in.expect(']');
    }
    long count = product(ImmutableLongArray.copyOf(sizes), begin);
    long[] ids = new long[(int) count];
    for (int i = 0; i < count; i++) {
      ids[i] = i;
    }
    if (in.accept(',')) {
      ids = deviceIds(count, begin);
    }
    in.expect('{');
    List<MeshGroups.Part> parts = new ArrayList<>();
    if (!in.accept('}')) {
      do {
        parts.add(part(names, sizes));
      } while (in.accept(','));
      in.expect('}');
    }
    in.expectEnd();
    return new ReplicaGroups.Mesh(
        in.source.text(begin, in.end), MeshGroups.groups(sizes, parts, ids));
  }

  private MeshGroups.Part part(List<String> names, List<Long> sizes) {
    in.peek();
    int begin = in.at;
    String name = axisName();
    int axis = names.indexOf(name);
    if (axis < 0) {
      throw in.error(begin, in.at, "the mesh has no axis '" + name + "'");
    }
    long before = 1;
    long size = sizes.get(axis);
    if (in.accept(':')) {
      in.expect('(');
      before = in.integer();
      in.expect(')');
      size = in.integer();
      if (before < 1 || size < 1 || sizes.get(axis) % (before * size) != 0) {
        throw in.error(begin, in.at, "the sub-axis does not divide axis '" + name + "'");
      }
    }
    return new MeshGroups.Part(axis, before, size);
  }

  private String axisName() {
    in.expect('\'');
    int begin = in.at;
    while (in.at < in.end && in.bytes[in.at] != '\'') {
      in.at++;
    }
    String name = in.source.text(begin, in.at);
    in.expect('\'');
    return name;
  }

  private long[] deviceIds(long count, int begin) {
    String keyword = in.word();
    if (!keyword.equals("device_ids")) {
      throw in.expected("'device_ids'");
    }
    in.expect('=');
    in.expect('(');
    long[] ids;
    if (in.peek() == '[') {
      ImmutableLongArray reshape = dims('[', ']');
      ImmutableLongArray transpose = null;
      if (in.accept('T')) {
        transpose = dims('(', ')');
        checkPermutation(transpose, reshape.length(), begin);
      }
      product(reshape, begin);
      ids = new ReplicaGroups.Iota(1, count, reshape, transpose).lists().get(0).toArray();
    } else {
      ImmutableLongArray.Builder out = ImmutableLongArray.builder();
      do {
        out.add(in.integer());
      } while (in.accept(','));
      ids = out.build().toArray();
    }
    in.expect(')');
    if (ids.length != count) {
      throw in.error(begin, in.at, "the mesh has " + count + " places for " + ids.length + " ids");
    }
    return ids;
  }
}
