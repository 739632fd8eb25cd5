package dev.lockstep.pass.region;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The programs that the ranks of a job run: for each rank an ordered list. Immutable.
 *
 * <p>Programs that are equal are one {@link Module} object, held once however many ranks run it;
 * each rank still has its own file name. Ranks are {@code replica * partitions + partition} of
 * {@link #grid}.
 */
public final class RankPrograms {
  /**
   * One program of one rank.
   *
   * @param file what to call it in messages
   * @param module the program; the same object for all ranks that run an equal one
   */
  public record Program(String file, Module module) {
    /** Returns {@code location}, which lies in the module, as a place of this rank's own file. */
    public Location in(Location location) {
      Source source = location.source();
      return !location.isKnown() || source.name().equals(file)
          ? location
          : new Location(Source.of(file, source.bytes()), location.begin(), location.end());
    }
  }

  private final DeviceGrid grid;
  private final ImmutableList<ImmutableList<Program>> ranks;

  private RankPrograms(DeviceGrid grid, ImmutableList<ImmutableList<Program>> ranks) {
    this.grid = grid;
    this.ranks = ranks;
  }

  /**
   * Returns the set of {@code ranks}.
   *
   * @param ranks for each rank its programs in the order it runs them
   * @param partitions the number of partitions where no program says
   * @throws IllegalArgumentException if there is no rank, or ranks do not fill the partitions
   */
  public static RankPrograms of(List<ImmutableList<Program>> ranks, OptionalInt partitions) {
    checkArgument(!ranks.isEmpty(), "a set of programs holds at least one rank");
    int count = partitions.orElse(1);
    for (ImmutableList<Program> programs : ranks) {
      if (!programs.isEmpty() && programs.get(0).module().partitions().isPresent()) {
        count = programs.get(0).module().partitions().getAsInt();
        break;
      }
    }
    checkArgument(
        ranks.size() % count == 0,
        "%s ranks cannot be divided into %s partitions",
        ranks.size(),
        count);
    return new RankPrograms(
        new DeviceGrid(ranks.size() / count, count), ImmutableList.copyOf(ranks));
  }

  /** Returns a set of one program a rank; the names are those of the texts. */
  public static RankPrograms ofModules(List<Module> modules) {
    List<ImmutableList<Program>> ranks = new ArrayList<>();
    for (Module module : modules) {
      ranks.add(ImmutableList.of(program(module)));
    }
    return of(ranks, OptionalInt.empty());
  }

  /** Returns the set in which every rank of {@code grid} runs {@code module}. */
  public static RankPrograms ofOne(Module module, DeviceGrid grid) {
    ImmutableList<Program> programs = ImmutableList.of(program(module));
    ImmutableList.Builder<ImmutableList<Program>> ranks = ImmutableList.builder();
    for (int rank = 0; rank < grid.size(); rank++) {
      ranks.add(programs);
    }
    return new RankPrograms(grid, ranks.build());
  }

  private static Program program(Module module) {
    return new Program(module.location().source().name(), module);
  }

  /** Returns the devices; a rank is a device. */
  public DeviceGrid grid() {
    return grid;
  }

  /** Returns the number of ranks. */
  public int world() {
    return ranks.size();
  }

  /** Returns the programs of {@code rank} in the order it runs them. */
  public ImmutableList<Program> programs(int rank) {
    return ranks.get(rank);
  }

  /** Returns the modules of {@code rank} in the order it runs them. */
  public ImmutableList<Module> modules(int rank) {
    return ranks.get(rank).stream().map(Program::module).collect(ImmutableList.toImmutableList());
  }

  /** Returns every module once, in the order in which ranks name them. */
  public ImmutableList<Module> distinctModules() {
    Map<Module, Boolean> seen = new IdentityHashMap<>();
    ImmutableList.Builder<Module> out = ImmutableList.builder();
    for (ImmutableList<Program> programs : ranks) {
      for (Program program : programs) {
        if (seen.put(program.module(), true) == null) {
          out.add(program.module());
        }
      }
    }
    return out.build();
  }

  /** Returns whether all ranks run the same module objects in the same order. */
  public boolean isOneText() {
    return ranksByModules().size() == 1;
  }

  /**
   * Returns the ranks that run the same module objects in the same order, by the first of them;
   * every rank is in one list, and lists are ascending.
   */
  public ImmutableList<ImmutableList<Integer>> ranksByModules() {
    Map<List<Integer>, ImmutableList.Builder<Integer>> classes = new LinkedHashMap<>();
    Map<Module, Integer> numbers = new IdentityHashMap<>();
    for (int rank = 0; rank < world(); rank++) {
      List<Integer> key = new ArrayList<>();
      for (Program program : ranks.get(rank)) {
        int fresh = numbers.size();
        key.add(numbers.computeIfAbsent(program.module(), unused -> fresh));
      }
      classes.computeIfAbsent(key, unused -> ImmutableList.builder()).add(rank);
    }
    ImmutableList.Builder<ImmutableList<Integer>> out = ImmutableList.builder();
    classes.values().forEach(ranks -> out.add(ranks.build()));
    return out.build();
  }
}
