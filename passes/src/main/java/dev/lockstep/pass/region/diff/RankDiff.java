package dev.lockstep.pass.region.diff;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.fingerprint.Fingerprint;
import dev.lockstep.pass.region.fingerprint.ProgramFingerprints;
import dev.lockstep.pass.region.fingerprint.RankClasses;
import dev.lockstep.pass.region.fingerprint.RankClasses.RankClass;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares the programs of all ranks with what most ranks run. Every different program is compared
 * once; time is linear in the programs where these differ in few lines.
 */
public final class RankDiff {
  private final RankPrograms programs;
  private final RankClasses classes;
  private final Map<Module, ProgramLines> lines = new IdentityHashMap<>();
  private final OperationDiff operations = new OperationDiff();

  private RankDiff(RankPrograms programs, RankClasses classes) {
    this.programs = programs;
    this.classes = classes;
  }

  /** Returns why the programs of {@code programs} differ. */
  public static DiffReport of(RankPrograms programs) {
    return new RankDiff(programs, RankClasses.of(programs)).run();
  }

  /**
   * Returns why the programs of {@code ranks} differ; what others run does not count, or is not
   * known.
   */
  public static DiffReport among(RankPrograms programs, Set<Integer> ranks) {
    return new RankDiff(programs, RankClasses.of(programs).among(ranks)).run();
  }

  private DiffReport run() {
    List<DiffReport.ClassDiff> others = new ArrayList<>();
    RankClass reference = classes.classes().get(0);
    for (RankClass other : classes.classes().subList(1, classes.classes().size())) {
      others.add(new DiffReport.ClassDiff(other, differences(reference, other)));
    }
    ImmutableList<DiffReport.Varying> varying = varying(others);
    boolean literalsOnly = !others.isEmpty() && sameStructure();
    return new DiffReport(
        classes,
        literalsOnly,
        ImmutableList.copyOf(others),
        varying,
        Suggestions.of(programs, others, varying));
  }

  /** Returns whether all ranks run the same but for values of literals. */
  private boolean sameStructure() {
    Map<Module, Fingerprint> known = new IdentityHashMap<>();
    Set<List<Fingerprint>> seen = new HashSet<>();
    for (RankClass each : classes.classes()) {
      List<Fingerprint> fingerprints = new ArrayList<>();
      for (Module module : programs.modules(each.first())) {
        fingerprints.add(
            known.computeIfAbsent(module, m -> ProgramFingerprints.structural(m, programs.grid())));
      }
      seen.add(fingerprints);
    }
    return seen.size() == 1;
  }

  private ProgramLines lines(Module module) {
    return lines.computeIfAbsent(module, m -> new ProgramLines(m, programs.grid()));
  }

  private ImmutableList<Difference> differences(RankClass reference, RankClass other) {
    ImmutableList<Module> left = programs.modules(reference.first());
    ImmutableList<Module> right = programs.modules(other.first());
    ImmutableList.Builder<Difference> out = ImmutableList.builder();
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      if (left.get(i) != right.get(i)) {
        out.addAll(ModuleDiff.of(lines(left.get(i)), lines(right.get(i)), operations));
        if (i > 0 || left.size() > 1) {
          // Kept for the reference only: there may be many other programs.
          lines.remove(right.get(i));
        }
      }
    }
    if (left.size() != right.size() && !left.isEmpty() && !right.isEmpty()) {
      out.add(
          ModuleDiff.whole(
              DifferenceKind.PROGRAMS,
              left.get(left.size() - 1),
              left.size() + (left.size() == 1 ? " program" : " programs"),
              right.get(right.size() - 1),
              right.size() + (right.size() == 1 ? " program" : " programs")));
    }
    if (right.size() == 1) {
      lines.remove(right.get(0));
    }
    return out.build();
  }

  /** Collects what differs at the same place of the reference in the same way. */
  private ImmutableList<DiffReport.Varying> varying(List<DiffReport.ClassDiff> others) {
    record Place(Identity operation, DifferenceKind kind, String what) {}
    Map<Place, @Nullable Difference[]> places = new LinkedHashMap<>();
    for (int c = 0; c < others.size(); c++) {
      for (Difference each : others.get(c).differences()) {
        Operation operation = each.reference();
        if (operation != null && each.other() != null && each.kind() != DifferenceKind.ORDER) {
          Difference[] row =
              places.computeIfAbsent(
                  new Place(new Identity(operation), each.kind(), each.what()),
                  unused -> new Difference[others.size()]);
          row[c] = each;
        }
      }
    }
    ImmutableList.Builder<DiffReport.Varying> out = ImmutableList.builder();
    places.values().forEach(row -> out.add(varying(row)));
    return out.build();
  }

  private DiffReport.Varying varying(@Nullable Difference[] row) {
    Difference first = null;
    for (Difference each : row) {
      first = first == null ? each : first;
    }
    Difference known = requireNonNull(first);
    ImmutableList.Builder<String> texts = ImmutableList.builder();
    texts.add(known.referenceText());
    for (Difference each : row) {
      texts.add(each == null ? known.referenceText() : each.otherText());
    }
    return new DiffReport.Varying(known, texts.build(), formula(row, known));
  }

  private String formula(@Nullable Difference[] row, Difference known) {
    Difference.Numbers numbers = known.numbers();
    if (numbers == null || classes.size() != programs.world()) {
      return "";
    }
    int length = numbers.reference().length();
    List<String> parts = new ArrayList<>();
    boolean any = false;
    for (int i = 0; i < length; i++) {
      long[] byRank = new long[programs.world()];
      boolean same = true;
      for (int c = 0; c <= row.length; c++) {
        Difference each = c == 0 ? null : row[c - 1];
        ImmutableLongArray own =
            each == null || each.numbers() == null
                ? numbers.reference()
                : requireNonNull(each.numbers()).other();
        if (own.length() != length) {
          return "";
        }
        for (int rank : classes.classes().get(c).ranks()) {
          byRank[rank] = own.get(i);
        }
        same &= own.get(i) == numbers.reference().get(i);
      }
      String part = same ? Long.toString(numbers.reference().get(i)) : Offsets.of(byRank);
      if (part == null) {
        return "";
      }
      any |= !same;
      parts.add(part);
    }
    return !any ? "" : length == 1 ? parts.get(0) : "[" + String.join(", ", parts) + "]";
  }

  /** Compares operations by identity. */
  private record Identity(Operation operation) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Identity && ((Identity) other).operation == operation;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(operation);
    }
  }
}
