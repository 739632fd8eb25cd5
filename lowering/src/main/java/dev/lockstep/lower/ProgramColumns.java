package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Module;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Which programs of ranks that run several run at the same time: those at the same place, or where
 * ranks have different numbers of programs, those at the same place among the ones that
 * communicate.
 */
final class ProgramColumns {
  /**
   * The programs that run at the same time.
   *
   * @param places for each rank the place of its program among all its programs
   * @param modules the program of each rank
   * @param all the programs of all ranks
   */
  record Column(
      ImmutableList<Integer> places,
      ImmutableList<Module> modules,
      ImmutableList<ImmutableList<Module>> all) {
    /** Returns what {@code work} gives; what it says of lone messages is completed. */
    <T> T check(Supplier<T> work) {
      try {
        return work.get();
      } catch (DiagnosticException e) {
        List<Diagnostic> out = new ArrayList<>(e.diagnostics());
        out.set(0, LoneMessages.explained(out.get(0), places, all));
        throw new DiagnosticException(ImmutableList.copyOf(out));
      }
    }
  }

  private ProgramColumns() {}

  /**
   * Returns the columns in which a program communicates.
   *
   * @param communicates whether a program has calls
   * @throws DiagnosticException if programs cannot be told to run at the same time
   */
  static ImmutableList<Column> of(
      ImmutableList<ImmutableList<Module>> ranks, Predicate<Module> communicates) {
    Map<Module, Boolean> known = new IdentityHashMap<>();
    List<List<Integer>> places = new ArrayList<>();
    boolean alike = ranks.stream().map(List::size).distinct().count() == 1;
    for (ImmutableList<Module> programs : ranks) {
      List<Integer> mine = new ArrayList<>();
      for (int i = 0; i < programs.size(); i++) {
        if (alike || known.computeIfAbsent(programs.get(i), communicates::test)) {
          mine.add(i);
        }
      }
      places.add(mine);
    }
    for (int rank = 1; rank < ranks.size(); rank++) {
      int count = places.get(rank).size();
      int first = places.get(0).size();
      if (count != first) {
        int longer = count > first ? rank : 0;
        Module extra = ranks.get(longer).get(places.get(longer).get(Math.min(count, first)));
        throw DiagnosticException.error(
            "c10d-set",
            "rank "
                + rank
                + " runs "
                + count
                + " programs with calls, rank 0 runs "
                + first
                + "; rank "
                + (longer == rank ? 0 : rank)
                + " has none that runs beside this one",
            extra.location());
      }
    }
    ImmutableList.Builder<Column> out = ImmutableList.builder();
    for (int column = 0; column < places.get(0).size(); column++) {
      ImmutableList.Builder<Integer> at = ImmutableList.builder();
      ImmutableList.Builder<Module> modules = ImmutableList.builder();
      for (int rank = 0; rank < ranks.size(); rank++) {
        int place = places.get(rank).get(column);
        at.add(place);
        modules.add(ranks.get(rank).get(place));
      }
      out.add(new Column(at.build(), modules.build(), ranks));
    }
    return out.build();
  }
}
