package dev.lockstep.pass.region.diff;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.pass.region.fingerprint.RankClasses;

/**
 * Why the programs of ranks differ.
 *
 * @param classes the ranks by what they run; the first class is the reference
 * @param literalsOnly whether all classes are equal but for the values of literals
 * @param others how each other class differs from the reference, in the order of classes
 * @param varying what differs at one place of the reference, with what every rank has there
 * @param suggestions what a model's author can do, most important first
 */
public record DiffReport(
    RankClasses classes,
    boolean literalsOnly,
    ImmutableList<ClassDiff> others,
    ImmutableList<Varying> varying,
    ImmutableList<String> suggestions) {

  /**
   * How a class differs from the reference.
   *
   * @param ranks the ranks of the class
   * @param differences in program order; none when only the number of its class is known
   */
  public record ClassDiff(RankClasses.RankClass ranks, ImmutableList<Difference> differences) {
    /** Returns how many differences there are of each kind, in the order of kinds. */
    public ImmutableMap<DifferenceKind, Integer> counts() {
      ImmutableMap.Builder<DifferenceKind, Integer> out = ImmutableMap.builder();
      for (DifferenceKind kind : DifferenceKind.values()) {
        int count = (int) differences.stream().filter(each -> each.kind() == kind).count();
        if (count > 0) {
          out.put(kind, count);
        }
      }
      return out.buildOrThrow();
    }
  }

  /**
   * Something that differs at one place.
   *
   * @param first the first difference of it
   * @param byClass what each class has, in the order of classes
   * @param formula how it depends on the rank, {@code 200 * rank}; empty when no simple formula
   *     gives it
   */
  public record Varying(Difference first, ImmutableList<String> byClass, String formula) {}

  /** Returns whether all ranks run the same. */
  public boolean areEqual() {
    return classes.areEqual();
  }
}
