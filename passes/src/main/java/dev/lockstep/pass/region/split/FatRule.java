package dev.lockstep.pass.region.split;

import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Operation;
import java.util.List;

/** Whole programs are right only where all ranks compile the same. */
final class FatRule {
  /** Diagnostic code. */
  static final String CODE = "split-fat";

  private FatRule() {}

  /**
   * Checks that the programs of {@code family} say the same, and that there are no others.
   *
   * @param ranks for each program the ranks that run it
   * @throws DiagnosticException that names the first difference
   */
  static void check(Family family, List<List<Integer>> ranks, boolean isOnly) {
    for (Item item : family.items()) {
      if (item.isSame()) {
        continue;
      }
      Object first = family.content(item, 0);
      for (int c = 1; c < family.codes().size(); c++) {
        if (!family.content(item, c).equals(first)) {
          throw refused(ranks.get(0).get(0), at(item, 0), ranks.get(c).get(0), at(item, c));
        }
      }
    }
    for (Range range : Cutter.cut(family, Cutter.Style.AUTO, java.util.Set.of())) {
      // A cut where nothing differs: the programs pass different values between equal regions.
      if (range.first() > 0 && !family.items().get(range.first()).startsProgram()) {
        Item item = family.items().get(range.first());
        throw refused(ranks.get(0).get(0), at(item, 0), ranks.get(1).get(0), at(item, 1));
      }
    }
    if (!isOnly) {
      Location start = family.codes().get(0).flows().get(0).module().location();
      throw refused(ranks.get(0).get(0), start, -1, Location.UNKNOWN);
    }
  }

  private static Location at(Item item, int c) {
    for (Operation operation : item.operations(c)) {
      return operation.location();
    }
    return item.parts().get(c).get(0).flow().entry().operation().location();
  }

  private static DiagnosticException refused(int rank, Location at, int other, Location there) {
    Diagnostic diagnostic =
        Diagnostic.error(
            CODE,
            String.format(
                "the programs of ranks differ, and a compiler may order the collectives of programs"
                    + " that differ differently on each; --mode auto cuts around what differs (rank"
                    + " %d from here)",
                rank),
            at);
    return new DiagnosticException(
        other < 0 ? diagnostic : diagnostic.withNote("rank " + other + " has this", there));
  }
}
