package dev.lockstep.pass.region.fingerprint;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.region.RankPrograms;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The ranks of a job by what they run: ranks are in one class when the fingerprints of their
 * programs are equal, in order. Each module is digested once, however many ranks run it.
 *
 * @param classes the largest first, among equally large ones that with the lowest rank
 */
public record RankClasses(ImmutableList<RankClass> classes) {
  /**
   * Ranks that run the same.
   *
   * @param ranks the ranks, ascending
   * @param fingerprints of each program, in the order in which they are run
   */
  public record RankClass(ImmutableList<Integer> ranks, ImmutableList<Fingerprint> fingerprints) {
    /** Returns the lowest rank, which stands for all. */
    public int first() {
      return ranks.get(0);
    }
  }

  /** Returns the classes of {@code programs}. */
  public static RankClasses of(RankPrograms programs) {
    Map<Module, Fingerprint> known = new IdentityHashMap<>();
    Map<List<Fingerprint>, List<Integer>> byContent = new LinkedHashMap<>();
    for (ImmutableList<Integer> ranks : programs.ranksByModules()) {
      ImmutableList.Builder<Fingerprint> fingerprints = ImmutableList.builder();
      for (Module module : programs.modules(ranks.get(0))) {
        fingerprints.add(
            known.computeIfAbsent(
                module, each -> ProgramFingerprints.whole(each, programs.grid())));
      }
      byContent.computeIfAbsent(fingerprints.build(), unused -> new ArrayList<>()).addAll(ranks);
    }
    List<RankClass> classes = new ArrayList<>();
    byContent.forEach(
        (fingerprints, ranks) ->
            classes.add(
                new RankClass(
                    ImmutableList.sortedCopyOf(ranks), ImmutableList.copyOf(fingerprints))));
    return sorted(classes);
  }

  /** Returns the classes of those of {@code ranks} that are in one. */
  public RankClasses among(Set<Integer> ranks) {
    List<RankClass> left = new ArrayList<>();
    for (RankClass each : classes) {
      ImmutableList<Integer> of =
          each.ranks().stream().filter(ranks::contains).collect(ImmutableList.toImmutableList());
      if (!of.isEmpty()) {
        left.add(new RankClass(of, each.fingerprints()));
      }
    }
    return sorted(left);
  }

  /** Returns how many ranks there are. */
  public int size() {
    return classes.stream().mapToInt(each -> each.ranks().size()).sum();
  }

  private static RankClasses sorted(List<RankClass> classes) {
    classes.sort(
        Comparator.<RankClass>comparingInt(each -> -each.ranks().size())
            .thenComparingInt(RankClass::first));
    return new RankClasses(ImmutableList.copyOf(classes));
  }

  /** Returns whether all ranks run the same. */
  public boolean areEqual() {
    return classes.size() == 1;
  }
}
