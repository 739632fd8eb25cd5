package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Which ranks the names of process groups mean: torch writes only names, {@code '0'} being the
 * world.
 *
 * @param groups the ranks of each name
 * @param reductions the reductions that objects such as {@code _torchbind_obj1} stand for
 * @param world how many ranks there are, if that is known
 */
public record GroupTable(
    ImmutableMap<String, ImmutableLongArray> groups,
    ImmutableMap<String, String> reductions,
    OptionalInt world) {
  /** Nothing is known but that {@code '0'} is the world. */
  public static final GroupTable UNKNOWN =
      new GroupTable(ImmutableMap.of(), ImmutableMap.of(), OptionalInt.empty());

  /** The name of the group of all ranks. */
  static final String WORLD = "0";

  /** Returns this table with the number of ranks it knows, or {@code ranks} where it knows none. */
  public GroupTable orWorld(int ranks) {
    return size().isPresent() ? this : new GroupTable(groups, reductions, OptionalInt.of(ranks));
  }

  /** Returns how many ranks there are: as told, or one more than the highest in the table. */
  public OptionalInt size() {
    if (world.isPresent()) {
      return world;
    }
    int highest = -1;
    for (ImmutableLongArray ranks : groups.values()) {
      for (int i = 0; i < ranks.length(); i++) {
        highest = Math.max(highest, Math.toIntExact(ranks.get(i)));
      }
    }
    return highest < 0 ? OptionalInt.empty() : OptionalInt.of(highest + 1);
  }

  /** Returns the ranks of the group called {@code name}, or null. */
  public @Nullable ImmutableLongArray ranks(String name) {
    ImmutableLongArray listed = groups.get(name);
    if (listed != null || !name.equals(WORLD) || size().isEmpty()) {
      return listed;
    }
    ImmutableLongArray.Builder all = ImmutableLongArray.builder();
    for (int i = 0; i < size().getAsInt(); i++) {
      all.add(i);
    }
    return all.build();
  }

  /** Returns the names that are known. */
  public ImmutableList<String> names() {
    return groups.isEmpty() && size().isPresent()
        ? ImmutableList.of(WORLD)
        : groups.keySet().asList();
  }
}
