package dev.lockstep.pass.region;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.ProcessGroups;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an operation where ranks meet means to each rank. Remembers what it worked out for the grid
 * that it was last asked about.
 */
abstract class SiteMeaning {
  private @Nullable DeviceGrid grid;
  private @Nullable ProcessGroups groups;
  private @Nullable CollectiveSignature[] signatures = new @Nullable CollectiveSignature[0];

  /** Returns what a user calls the operation. */
  abstract String name();

  /** Returns whether messages are exchanged instead of a group meeting. */
  boolean isTransfer() {
    return false;
  }

  /** Returns whether a rank in no group gets something too. */
  boolean givesOutsiders() {
    return true;
  }

  /** Returns who meets; throws a diagnostic when that makes no sense. */
  abstract ProcessGroups groups(DeviceGrid newGrid);

  /** Returns what the members of {@code group}, the {@code index}-th, must agree on. */
  abstract CollectiveSignature signature(ImmutableIntArray group, int index);

  /** Returns the messages of {@code rank}. */
  ImmutableList<Transfer> transfers(DeviceGrid newGrid, int rank) {
    return ImmutableList.of();
  }

  final synchronized @Nullable CollectiveSignature signature(DeviceGrid newGrid, int rank) {
    if (isTransfer()) {
      return null;
    }
    ProcessGroups resolved = resolved(newGrid);
    int index = resolved.groupOf(rank);
    if (index < 0) {
      return null;
    }
    CollectiveSignature found = signatures[index];
    if (found == null) {
      found = signature(resolved.groups().get(index), index);
      signatures[index] = found;
    }
    return found;
  }

  /** Returns the groups on {@code newGrid}, worked out once. */
  final synchronized ProcessGroups resolved(DeviceGrid newGrid) {
    ProcessGroups known = groups;
    if (known == null || !newGrid.equals(grid)) {
      known = groups(newGrid);
      groups = known;
      grid = newGrid;
      signatures = new @Nullable CollectiveSignature[known.groups().size()];
    }
    return known;
  }

  /** Returns {@code types} with tuples taken apart, without layouts, tokens and encodings. */
  static ImmutableList<Type> plain(List<? extends Type> types) {
    ImmutableList.Builder<Type> out = ImmutableList.builder();
    for (Type type : types) {
      if (type instanceof TupleType) {
        out.addAll(plain(((TupleType) type).elements()));
      } else if (type instanceof TensorType) {
        out.add(TensorType.of(((TensorType) type).element(), ((TensorType) type).dims()));
      } else if (!(type instanceof TokenType)) {
        out.add(type);
      }
    }
    return out.build();
  }
}
