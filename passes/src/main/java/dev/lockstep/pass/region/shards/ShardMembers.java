package dev.lockstep.pass.region.shards;

import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.grid.MemberOrder;
import dev.lockstep.hlo.grid.ProcessGroups;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.ProgramClasses;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the members of the groups of a collective hold. */
final class ShardMembers {
  private ShardMembers() {}

  /** Returns the sizes of the members of each group, in group order. */
  static List<List<Long>> of(
      AlignedOp operation, ImmutableLongArray byClass, ProgramClasses classes) {
    MemberOrder order =
        classes.programs().get(0).syntax() == Syntax.HLO
            ? MemberOrder.REPLICA_MAJOR
            : MemberOrder.PARTITION_MAJOR;
    ProcessGroups groups = Collectives.processGroups(operation.base(), classes.grid(), order);
    List<List<Long>> out = new ArrayList<>();
    for (ImmutableIntArray group : groups.groups()) {
      List<Long> sizes = new ArrayList<>();
      for (int i = 0; i < group.length(); i++) {
        sizes.add(byClass.get(classes.of(group.get(i))));
      }
      out.add(sizes);
    }
    return out;
  }

  /** Returns the sizes that the members of every group have, or null when groups differ. */
  static @Nullable List<Long> common(
      AlignedOp operation, ImmutableLongArray byClass, ProgramClasses classes) {
    Set<List<Long>> all = new HashSet<>(of(operation, byClass, classes));
    return all.size() == 1 ? all.iterator().next() : null;
  }

  /** Returns whether the members of each group have one size. */
  static boolean areEqual(AlignedOp operation, ImmutableLongArray byClass, ProgramClasses classes) {
    return of(operation, byClass, classes).stream()
        .allMatch(group -> new HashSet<>(group).size() == 1);
  }

  /** Returns the sum of what the members of each group hold, or -1 when groups differ. */
  static long sum(AlignedOp operation, ImmutableLongArray byClass, ProgramClasses classes) {
    Set<Long> sums = new HashSet<>();
    for (List<Long> group : of(operation, byClass, classes)) {
      sums.add(group.stream().mapToLong(Long::longValue).sum());
    }
    return sums.size() == 1 ? sums.iterator().next() : -1;
  }

  /** Returns whether padding at the end alone makes all members equally large. */
  static boolean isFullUntilEnd(List<Long> members, long largest) {
    boolean ended = false;
    for (long size : members) {
      if (ended && size != 0) {
        return false;
      }
      ended |= size != largest;
    }
    return true;
  }
}
