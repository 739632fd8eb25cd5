package dev.lockstep.runtime.pjrt;

import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.MemberOrder;
import dev.lockstep.hlo.grid.ProcessGroups;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.op.MeshAxisGroups;
import dev.lockstep.hlo.op.Semantics;

/**
 * Which devices a text joins: those of a group, and those that other groups of the same text join
 * with them. A launch holds all of them or none.
 */
final class Partners {
  private final int[] parent;
  private final DeviceGrid grid;

  private Partners(DeviceGrid grid) {
    this.grid = grid;
    this.parent = new int[grid.size()];
    for (int i = 0; i < parent.length; i++) {
      parent[i] = i;
    }
  }

  /**
   * Returns the partners in {@code module}.
   *
   * @throws IllegalArgumentException if a group makes no sense on the grid
   */
  static Partners of(Module module, DeviceGrid grid) {
    Partners partners = new Partners(grid);
    module.operations().forEach(top -> top.walk(inner -> partners.add(inner, module)));
    return partners;
  }

  private void add(Operation operation, Module module) {
    Semantics semantics = operation.def().semantics();
    if (semantics instanceof Semantics.Collective) {
      for (ImmutableIntArray group : groups(operation, module, grid).groups()) {
        group.forEach(device -> join(group.get(0), device));
      }
    } else if (semantics == Semantics.Control.SEND || semantics == Semantics.Control.RECV) {
      for (int device = 1; device < parent.length; device++) {
        join(0, device);
      }
    }
  }

  /** Returns the groups of a collective. */
  static ProcessGroups groups(Operation operation, Module module, DeviceGrid grid) {
    MemberOrder order =
        module.syntax() == Syntax.HLO ? MemberOrder.REPLICA_MAJOR : MemberOrder.PARTITION_MAJOR;
    return ((Semantics.Collective) operation.def().semantics())
        .groups(MeshAxisGroups.spelledOut(operation, module), grid, order);
  }

  private void join(int one, int other) {
    parent[root(other)] = root(one);
  }

  private int root(int device) {
    int at = device;
    while (parent[at] != at) {
      at = parent[at];
    }
    return at;
  }

  /** Returns {@code device} and its partners, ascending. */
  ImmutableIntArray with(int device) {
    ImmutableIntArray.Builder out = ImmutableIntArray.builder();
    int root = root(device);
    for (int other = 0; other < parent.length; other++) {
      if (root(other) == root) {
        out.add(other);
      }
    }
    return out.build();
  }
}
