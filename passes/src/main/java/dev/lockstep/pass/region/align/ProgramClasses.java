package dev.lockstep.pass.region.align;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The programs of all ranks, each different one held once. Class 0 is the class of rank 0.
 *
 * @param programs the different programs, in the order of the first rank that has each
 * @param classOfRank for each rank the index of its program
 * @param grid the devices; ranks are numbered replica-major
 */
public record ProgramClasses(
    ImmutableList<Module> programs, ImmutableIntArray classOfRank, DeviceGrid grid) {

  /** Checks that every device of the grid has a program. */
  public ProgramClasses {
    checkArgument(
        classOfRank.length() == grid.size(),
        "%s programs for %s devices",
        classOfRank.length(),
        grid.size());
  }

  /** Returns the classes of {@code ranks}; ranks that share an object share a class. */
  public static ProgramClasses of(List<Module> ranks, DeviceGrid grid) {
    Map<Module, Integer> numbers = new IdentityHashMap<>();
    ImmutableList.Builder<Module> programs = ImmutableList.builder();
    ImmutableIntArray.Builder classes = ImmutableIntArray.builder(ranks.size());
    for (Module module : ranks) {
      Integer number = numbers.get(module);
      if (number == null) {
        number = numbers.size();
        numbers.put(module, number);
        programs.add(module);
      }
      classes.add(number);
    }
    return new ProgramClasses(programs.build(), classes.build(), grid);
  }

  /** Returns the number of different programs. */
  public int count() {
    return programs.size();
  }

  /** Returns the number of ranks. */
  public int world() {
    return classOfRank.length();
  }

  /** Returns the class of a rank. */
  public int of(int rank) {
    return classOfRank.get(rank);
  }

  /** Returns for each rank what {@code byClass} has for its class. */
  public long[] byRank(long[] byClass) {
    long[] out = new long[world()];
    for (int rank = 0; rank < out.length; rank++) {
      out[rank] = byClass[of(rank)];
    }
    return out;
  }

  /** Returns the ranks of some classes in words. */
  public String ranks(List<Integer> numbers) {
    List<Integer> ranks = new ArrayList<>();
    boolean[] wanted = new boolean[count()];
    numbers.forEach(number -> wanted[number] = true);
    for (int rank = 0; rank < world(); rank++) {
      if (wanted[of(rank)]) {
        ranks.add(rank);
      }
    }
    return RankText.of(ranks);
  }
}
