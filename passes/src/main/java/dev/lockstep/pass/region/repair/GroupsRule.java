package dev.lockstep.pass.region.repair;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.GroupMode;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collectives whose groups or pairs are listed differently but mean the same on every rank that is
 * in them: all groups are listed once. Who meets whom stays as every rank wrote it of itself.
 */
final class GroupsRule implements MergeRule {
  static final GroupsRule INSTANCE = new GroupsRule();

  private static final String GROUPS = "replica_groups";
  private static final String PAIRS = "source_target_pairs";
  private static final ImmutableSet<ImmutableSet<String>> HANDLED =
      ImmutableSet.of(ImmutableSet.of(GROUPS), ImmutableSet.of(PAIRS));

  private GroupsRule() {}

  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    return operation.def().isCollective()
        && operation.isUniform()
        && HANDLED.contains(Differences.of(operation));
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    boolean pairs = Differences.of(operation).contains(PAIRS);
    ImmutableList<ImmutableLongArray> rows = union(operation, merge, pairs);
    String name = pairs ? PAIRS : GROUPS;
    ImmutableList.Builder<Value> operands = ImmutableList.builder();
    operation.operands().forEach(operand -> operands.add(merge.value(operand)));
    ImmutableList.Builder<Type> types = ImmutableList.builder();
    operation.results().forEach(result -> types.add(merge.type(result)));
    merge.step(
        "groups",
        (pairs ? "pairs" : "groups") + " are listed differently: " + rows + " on all ranks",
        operation);
    return merge.copy(
        operation,
        operands.build(),
        types.build(),
        operation.base().attributes().with(name, attribute(rows, pairs, merge)));
  }

  /** Returns all rows, of which every one is what each rank in it wrote. */
  private static ImmutableList<ImmutableLongArray> union(
      AlignedOp operation, BlockMerge merge, boolean pairs) {
    DeviceGrid grid = merge.classes().grid();
    Set<ImmutableLongArray> all = new LinkedHashSet<>();
    for (int rank = 0; rank < grid.size(); rank++) {
      for (ImmutableLongArray row : own(operation, merge, rank, pairs)) {
        all.add(row);
      }
    }
    for (int rank = 0; rank < grid.size(); rank++) {
      long id = id(operation.base(), grid, rank);
      List<ImmutableLongArray> own = own(operation, merge, rank, pairs);
      for (ImmutableLongArray row : all) {
        if (row.contains(id) != own.contains(row)) {
          throw merge.refusal(
              "repair-groups",
              operation.def().shortName()
                  + ": a rank lists "
                  + row
                  + (pairs
                      ? ", which rank " + rank + " does not"
                      : " and rank " + rank + " another group"),
              operation);
        }
      }
    }
    return ImmutableList.sortedCopyOf(Comparator.comparing(row -> row.get(0)), all);
  }

  private static List<ImmutableLongArray> own(
      AlignedOp operation, BlockMerge merge, int rank, boolean pairs) {
    Operation here = operation.operations().get(merge.classes().of(rank));
    DeviceGrid grid = merge.classes().grid();
    long id = id(here, grid, rank);
    ImmutableList<ImmutableLongArray> rows =
        pairs ? Collectives.PAIRS.get(here) : Collectives.groups(here).lists();
    if (rows.isEmpty() && !pairs) {
      int count = limit(here, grid);
      rows = ImmutableList.of(ImmutableLongArray.copyOf(iota(count)));
    }
    return rows.stream().filter(row -> row.contains(id)).toList();
  }

  private static long[] iota(int count) {
    long[] out = new long[count];
    Arrays.setAll(out, i -> i);
    return out;
  }

  private static int limit(Operation operation, DeviceGrid grid) {
    return switch (Collectives.mode(operation)) {
      case CROSS_REPLICA, CROSS_REPLICA_AND_PARTITION -> grid.replicas();
      case CROSS_PARTITION -> grid.partitions();
      case FLATTENED_ID -> grid.size();
    };
  }

  private static long id(Operation operation, DeviceGrid grid, int rank) {
    GroupMode mode = Collectives.mode(operation);
    return switch (mode) {
      case CROSS_REPLICA, CROSS_REPLICA_AND_PARTITION -> grid.replica(rank);
      case CROSS_PARTITION -> grid.partition(rank);
      case FLATTENED_ID -> rank;
    };
  }

  private static Attribute attribute(
      ImmutableList<ImmutableLongArray> rows, boolean pairs, BlockMerge merge) {
    if (merge.builder().scope().syntax() == Syntax.HLO) {
      if (!pairs) {
        return new Attribute.Groups(new ReplicaGroups.Lists(rows));
      }
      ImmutableList.Builder<Attribute> lists = ImmutableList.builder();
      rows.forEach(row -> lists.add(Attribute.Longs.of(row.toArray())));
      return new Attribute.Array(lists.build());
    }
    return Attribute.Dense.of(table(rows));
  }

  private static Literal table(ImmutableList<ImmutableLongArray> rows) {
    int columns = rows.stream().mapToInt(ImmutableLongArray::length).max().orElse(0);
    LiteralBuilder out = new LiteralBuilder(TensorType.of(ElementType.I64, rows.size(), columns));
    for (int r = 0; r < rows.size(); r++) {
      for (int c = 0; c < columns; c++) {
        @Nullable ImmutableLongArray row = rows.get(r);
        out.setLong(r * columns + c, c < row.length() ? row.get(c) : -1);
      }
    }
    return out.build();
  }
}
