package dev.lockstep.pass.region.merge;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.align.ProgramClasses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values that differ from rank to rank, written so that the text does not: constants with one row a
 * rank, of which the rank's id picks one. Bits are copied, never computed, so what is picked is
 * exact. Serves one block.
 */
public final class RankTables {
  private static final ElementType INDEX = ElementType.UI32;
  private static final int INDEX_BYTES = 4;

  private final ProgramClasses classes;
  private final Map<ImmutableList<Literal>, Value> known = new HashMap<>();
  private @Nullable Value replica;
  private @Nullable Value partition;
  private @Nullable Value zero;

  RankTables(ProgramClasses classes) {
    this.classes = classes;
  }

  /** Returns the bytes that a table of these values has. */
  public static long bytes(ProgramClasses classes, List<Literal> byClass) {
    Layout layout = Layout.of(classes, byClass);
    return layout.bytes();
  }

  /** Returns the entry of {@code byClass} that belongs to the rank, a scalar of {@code element}. */
  public Value number(long[] byClass, ElementType element, OpBuilder builder) {
    ImmutableList.Builder<Literal> literals = ImmutableList.builder();
    for (long number : byClass) {
      literals.add(Literal.scalar(element, number));
    }
    return literal(literals.build(), builder);
  }

  /** Returns the value of {@code byClass} that belongs to the rank; all have one type. */
  public Value literal(ImmutableList<Literal> byClass, OpBuilder builder) {
    Value made = known.get(byClass);
    if (made == null) {
      Literal first = byClass.get(0);
      made =
          byClass.stream().allMatch(first::equals)
              ? builder.constant(first)
              : lookUp(Layout.of(classes, byClass), builder);
      known.put(byClass, made);
    }
    return made;
  }

  private Value lookUp(Layout layout, OpBuilder builder) {
    List<Value> ids = new ArrayList<>();
    if (layout.byReplica()) {
      ids.add(replica(builder));
    }
    if (layout.byPartition()) {
      ids.add(partition(builder));
    }
    if (!layout.isIndirect()) {
      return pick(layout.table(), ids, builder);
    }
    Value row = pick(layout.index(), ids, builder);
    return pick(layout.table(), List.of(row), builder);
  }

  private Value pick(Literal table, List<Value> ids, OpBuilder builder) {
    TensorType type = table.type();
    List<Value> starts = new ArrayList<>(ids);
    long[] sizes = type.dims().toArray();
    Arrays.fill(sizes, 0, ids.size(), 1);
    while (starts.size() < type.rank()) {
      starts.add(zero(builder));
    }
    Value row = builder.dynamicSlice(builder.constant(table), starts, sizes);
    return builder.reshape(row, Arrays.copyOfRange(sizes, ids.size(), sizes.length));
  }

  private Value replica(OpBuilder builder) {
    Value made = replica == null ? builder.replicaId() : replica;
    replica = made;
    return made;
  }

  private Value partition(OpBuilder builder) {
    Value made = partition == null ? builder.partitionId() : partition;
    partition = made;
    return made;
  }

  private Value zero(OpBuilder builder) {
    Value made = zero == null ? builder.scalar(INDEX, 0) : zero;
    zero = made;
    return made;
  }

  /**
   * How values are laid out in tables.
   *
   * @param byReplica whether the replica picks
   * @param byPartition whether the partition picks
   * @param rows the row of each cell of the grid that is told apart
   * @param values the different rows, or one a cell
   * @param isIndirect whether a table of numbers says which row is whose
   */
  private record Layout(
      DeviceGrid grid,
      boolean byReplica,
      boolean byPartition,
      List<Integer> rows,
      List<Literal> values,
      boolean isIndirect) {

    static Layout of(ProgramClasses classes, List<Literal> byClass) {
      DeviceGrid grid = classes.grid();
      Map<Literal, Integer> numbers = new LinkedHashMap<>();
      int[] rowOfClass = new int[byClass.size()];
      for (int k = 0; k < rowOfClass.length; k++) {
        Integer number = numbers.putIfAbsent(byClass.get(k), numbers.size());
        rowOfClass[k] = number == null ? numbers.size() - 1 : number;
      }
      int[] rowOfRank = new int[classes.world()];
      for (int rank = 0; rank < rowOfRank.length; rank++) {
        rowOfRank[rank] = rowOfClass[classes.of(rank)];
      }
      boolean byReplica = false;
      boolean byPartition = false;
      for (int rank = 0; rank < rowOfRank.length; rank++) {
        int sameReplica = grid.device(grid.replica(rank), 0);
        int samePartition = grid.device(0, grid.partition(rank));
        byPartition |= rowOfRank[rank] != rowOfRank[sameReplica];
        byReplica |= rowOfRank[rank] != rowOfRank[samePartition];
      }
      List<Integer> rows = new ArrayList<>();
      for (int r = 0; r < (byReplica ? grid.replicas() : 1); r++) {
        for (int p = 0; p < (byPartition ? grid.partitions() : 1); p++) {
          rows.add(rowOfRank[grid.device(r, p)]);
        }
      }
      List<Literal> values = new ArrayList<>(numbers.keySet());
      long row = rowBytes(values.get(0));
      long direct = rows.size() * row;
      long indirect = (long) rows.size() * INDEX_BYTES + values.size() * row;
      return new Layout(grid, byReplica, byPartition, rows, values, indirect < direct);
    }

    private static long rowBytes(Literal literal) {
      return Math.max(1, literal.count() * (long) Math.max(1, literal.element().bits() / 8));
    }

    long bytes() {
      long row = rowBytes(values.get(0));
      return isIndirect
          ? (long) rows.size() * INDEX_BYTES + values.size() * row
          : rows.size() * row;
    }

    /** Returns the table with the values: by ids, or by number when there is an index. */
    Literal table() {
      Literal first = values.get(0);
      int cells = isIndirect ? values.size() : rows.size();
      LiteralBuilder out =
          new LiteralBuilder(
              TensorType.of(
                  first.element(), dims(isIndirect ? new long[] {cells} : axes(), first.type())));
      for (int cell = 0; cell < cells; cell++) {
        Literal value = values.get(isIndirect ? cell : rows.get(cell));
        out.copyRange(cell * first.count(), value, 0, first.count());
      }
      return out.build();
    }

    /** Returns the table of row numbers, by ids. */
    Literal index() {
      LiteralBuilder out = new LiteralBuilder(TensorType.of(INDEX, axes()));
      for (int cell = 0; cell < rows.size(); cell++) {
        out.setLong(cell, rows.get(cell));
      }
      return out.build();
    }

    private long[] axes() {
      return byReplica && byPartition
          ? new long[] {grid.replicas(), grid.partitions()}
          : new long[] {rows.size()};
    }

    private static long[] dims(long[] axes, TensorType type) {
      long[] out = Arrays.copyOf(axes, axes.length + type.rank());
      for (int d = 0; d < type.rank(); d++) {
        out[axes.length + d] = type.dim(d);
      }
      return out;
    }
  }
}
