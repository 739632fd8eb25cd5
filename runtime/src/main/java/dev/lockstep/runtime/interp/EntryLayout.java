package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.shard.Shardings;
import dev.lockstep.hlo.shard.Tiling;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.List;

/**
 * How the arguments and results of a program lie on the devices of a grid.
 *
 * <p>Of most programs, each device has its own, of the types that are written. Of a program over
 * global arrays, a device holds the parts that the shardings of the entry function say; where they
 * say nothing, all of it.
 */
public final class EntryLayout {
  private static final EntryLayout OWN =
      new EntryLayout(
          false,
          new DeviceGrid(1, 1),
          ImmutableList.of(),
          ImmutableList.of(),
          ImmutableList.of(),
          ImmutableList.of(),
          Location.UNKNOWN);

  private final boolean global;
  private final DeviceGrid grid;
  private final ImmutableList<Tiling> arguments;
  private final ImmutableList<Tiling> results;
  private final ImmutableList<TensorType> types;
  private final ImmutableList<TensorType> resultTypes;
  private final Location place;

  private EntryLayout(
      boolean global,
      DeviceGrid grid,
      ImmutableList<Tiling> arguments,
      ImmutableList<Tiling> results,
      ImmutableList<TensorType> types,
      ImmutableList<TensorType> resultTypes,
      Location place) {
    this.global = global;
    this.grid = grid;
    this.arguments = arguments;
    this.results = results;
    this.types = types;
    this.resultTypes = resultTypes;
    this.place = place;
  }

  /** Returns the layout of programs of which each device has its own arguments and results. */
  public static EntryLayout own() {
    return OWN;
  }

  /**
   * Returns the layout of {@code program} on {@code grid}.
   *
   * @throws DiagnosticException if the shardings do not fit the grid
   */
  public static EntryLayout of(Program program, DeviceGrid grid) {
    Shardings shardings = program.shardings();
    if (shardings == null) {
      return OWN;
    }
    Function entry = program.entry(0);
    return new EntryLayout(
        true,
        grid,
        shardings.arguments(entry, grid.partitions()),
        shardings.results(entry, grid.partitions()),
        Flattening.arguments(entry),
        Flattening.results(entry),
        entry.operation().location());
  }

  /** Returns whether the program is over global arrays. */
  public boolean isGlobal() {
    return global;
  }

  /**
   * Returns whether devices may hold parts of result {@code index} that the program leaves to the
   * partitioner; here they all hold the whole.
   */
  public boolean isOpen(int index) {
    return global && results.get(index).isOpen();
  }

  /**
   * Returns result {@code index} as the program has it, put together from what the partitions of
   * one replica hold; what a sharding says nothing about does not count.
   *
   * @param parts one for each partition
   * @throws IllegalArgumentException if they are no parts of one array, saying why
   */
  public Literal whole(int index, List<Literal> parts) {
    List<Integer> partitions = new ArrayList<>();
    for (int partition = 0; partition < parts.size(); partition++) {
      partitions.add(partition);
    }
    return Parts.join(
        resultTypes.get(index),
        results.get(index),
        partitions,
        parts::get,
        (one, other) -> {
          throw new IllegalArgumentException(
              "devices " + one + " and " + other + " hold different copies of one part");
        });
  }

  /** Returns how many devices hold parts of the same arrays. */
  public int partitions() {
    return grid.partitions();
  }

  /** Returns whether each partition has a result {@code index} of its own. */
  public boolean isOwn(int index) {
    return !global || results.get(index).isManual();
  }

  /** Returns the sum of {@code parts}, which are of one type. */
  public static Literal sum(List<Literal> parts) {
    return Parts.sum(parts);
  }

  /**
   * Returns the type of the parts of argument {@code index}, which the program says is {@code
   * type}.
   */
  TensorType argumentType(TensorType type, int index) {
    Tiling tiling = arguments.get(index);
    return tiling.isManual() ? type : TensorType.of(type.element(), tiling.local(type.dims()));
  }

  /** Returns the part of argument {@code index} that {@code device} holds. */
  Literal argumentPart(Literal whole, int index, int device) {
    return Parts.cut(whole, arguments.get(index), grid.partition(device));
  }

  /** Returns the arrays of which {@code parts} are the parts, one list a partition. */
  ImmutableList<Datum> join(List<ImmutableList<Datum>> parts) {
    int[] next = {0};
    ImmutableList.Builder<Datum> out = ImmutableList.builder();
    for (int i = 0; i < parts.get(0).size(); i++) {
      List<Datum> each = new ArrayList<>();
      for (ImmutableList<Datum> list : parts) {
        each.add(list.get(i));
      }
      out.add(join(each, next));
    }
    return out.build();
  }

  private Datum join(List<Datum> parts, int[] next) {
    Datum first = parts.get(0);
    if (first instanceof Datum.Tuple) {
      ImmutableList.Builder<Datum> elements = ImmutableList.builder();
      for (int i = 0; i < ((Datum.Tuple) first).elements().size(); i++) {
        List<Datum> each = new ArrayList<>();
        for (Datum part : parts) {
          each.add(((Datum.Tuple) part).elements().get(i));
        }
        elements.add(join(each, next));
      }
      return new Datum.Tuple(elements.build());
    }
    if (!(first instanceof Literal)) {
      return first;
    }
    int index = next[0]++;
    Tiling tiling = arguments.get(index);
    if (tiling.isManual()) {
      return Spread.join(parts);
    }
    List<Integer> partitions = new ArrayList<>();
    for (int partition = 0; partition < parts.size(); partition++) {
      partitions.add(partition);
    }
    try {
      return Parts.join(
          types.get(index),
          tiling,
          partitions,
          partition -> (Literal) parts.get(partition),
          (one, other) -> {
            throw new IllegalArgumentException(
                String.format(
                    "partitions %d and %d hold copies of one part, and were given different"
                        + " values",
                    one, other));
          });
    } catch (IllegalArgumentException e) {
      throw DiagnosticException.error(
          "argument-parts", "argument " + index + ": " + e.getMessage(), place);
    }
  }

  /** Returns what each partition holds of {@code values}, the results. */
  ImmutableList<ImmutableList<Datum>> cut(ImmutableList<Datum> values) {
    ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
    for (int partition = 0; partition < grid.partitions(); partition++) {
      int[] next = {0};
      ImmutableList.Builder<Datum> parts = ImmutableList.builder();
      for (Datum value : values) {
        parts.add(cut(Spread.of(value, partition), partition, next));
      }
      out.add(parts.build());
    }
    return out.build();
  }

  private Datum cut(Datum value, int partition, int[] next) {
    if (value instanceof Datum.Tuple) {
      ImmutableList.Builder<Datum> elements = ImmutableList.builder();
      for (Datum element : ((Datum.Tuple) value).elements()) {
        elements.add(cut(element, partition, next));
      }
      return new Datum.Tuple(elements.build());
    }
    return value instanceof Literal
        ? Parts.cut((Literal) value, results.get(next[0]++), partition)
        : value;
  }
}
