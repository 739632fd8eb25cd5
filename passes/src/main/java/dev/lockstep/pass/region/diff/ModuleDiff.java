package dev.lockstep.pass.region.diff;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares one program with the reference, line by line. */
final class ModuleDiff {
  private static final int NONE = -1;

  private final ProgramLines reference;
  private final ProgramLines other;
  private final OperationDiff operations;

  /** For each line of the reference the line of the other beside it. */
  private final int[] beside;

  /** For each line of the other the line of the reference beside it. */
  private final int[] back;

  private final Map<Value, Value> values = new IdentityHashMap<>();

  /** Differences with the line at which they stand, for their order. */
  private final Map<Difference, Integer> found = new IdentityHashMap<>();

  private final List<Difference> differences = new ArrayList<>();

  private ModuleDiff(ProgramLines reference, ProgramLines other, OperationDiff operations) {
    this.reference = reference;
    this.other = other;
    this.operations = operations;
    this.beside = Lcs.match(reference.keys(), other.keys());
    this.back = new int[other.lines().size()];
  }

  /** Returns the differences in program order; those that only follow from others are left out. */
  static ImmutableList<Difference> of(
      ProgramLines reference, ProgramLines other, OperationDiff operations) {
    if (reference.module().syntax() != other.module().syntax()) {
      return ImmutableList.of(
          whole(
              DifferenceKind.SYNTAX,
              reference.module(),
              reference.module().syntax().name(),
              other.module(),
              other.module().syntax().name()));
    }
    ModuleDiff diff = new ModuleDiff(reference, other, operations);
    diff.run();
    return ImmutableList.copyOf(diff.differences);
  }

  static Difference whole(
      DifferenceKind kind, Module left, String leftText, Module right, String rightText) {
    return new Difference(
        kind, "", null, start(left), leftText, null, start(right), rightText, null);
  }

  /** Returns the place of a program as a whole: its first byte. */
  static Location start(Module module) {
    return module.location().isKnown()
        ? new Location(
            module.location().source(), module.location().begin(), module.location().begin())
        : module.location();
  }

  private void run() {
    options();
    pairUp();
    Arrays.fill(back, NONE);
    for (int i = 0; i < beside.length; i++) {
      if (beside[i] >= 0) {
        back[beside[i]] = i;
      }
    }
    for (int i = 0; i < beside.length; i++) {
      if (beside[i] >= 0) {
        map(reference.lines().get(i), other.lines().get(beside[i]));
      }
    }
    for (int i = 0; i < beside.length; i++) {
      if (beside[i] >= 0) {
        compare(i, reference.lines().get(i), other.lines().get(beside[i]));
      }
    }
    leftOver();
    if (differences.stream().anyMatch(ModuleDiff::isOfTypes)) {
      // The header repeats the types of arguments and results.
      differences.removeIf(each -> each.what().equals("entry_computation_layout"));
    }
    differences.sort(Comparator.comparingInt(each -> found.getOrDefault(each, 0)));
  }

  private void add(Difference difference, int line) {
    differences.add(difference);
    found.put(difference, line);
  }

  private void options() {
    Attributes left = reference.module().attributes();
    Attributes right = other.module().attributes();
    TreeSet<String> names = new TreeSet<>();
    left.forEach((name, value) -> names.add(name));
    right.forEach((name, value) -> names.add(name));
    for (String name : names) {
      Attribute a = left.get(name);
      Attribute b = right.get(name);
      if (!OperationDiff.isForPeople(name) && !same(a, b)) {
        add(
            new Difference(
                DifferenceKind.COMPILE_OPTIONS,
                name,
                null,
                start(reference.module()),
                OperationDiff.text(a),
                null,
                start(other.module()),
                OperationDiff.text(b),
                null),
            -1);
      }
    }
  }

  private static boolean isOfTypes(Difference difference) {
    return difference.kind() == DifferenceKind.SHAPE || difference.kind() == DifferenceKind.TYPE;
  }

  private static boolean same(@Nullable Attribute a, @Nullable Attribute b) {
    return a == null ? b == null : a.equals(b);
  }

  /** Puts lines side by side that are of one kind but not alike, between those that are. */
  private void pairUp() {
    int from = 0;
    int otherFrom = 0;
    for (int i = 0; i <= beside.length; i++) {
      boolean end = i == beside.length;
      if (!end && beside[i] < 0) {
        continue;
      }
      int otherTo = end ? other.lines().size() : beside[i];
      if (from < i && otherFrom < otherTo) {
        int[] inner = Lcs.match(reference.names(from, i), other.names(otherFrom, otherTo));
        for (int k = 0; k < inner.length; k++) {
          if (inner[k] >= 0) {
            beside[from + k] = otherFrom + inner[k];
          }
        }
      }
      from = i + 1;
      otherFrom = otherTo + 1;
    }
  }

  private void map(ProgramLines.Line left, ProgramLines.Line right) {
    map(left.values(), right.values());
    if (left.isOperation() && right.isOperation()) {
      int regions = Math.min(left.operation().regions().size(), right.operation().regions().size());
      for (int r = 0; r < regions; r++) {
        List<Block> a = left.operation().regions().get(r).blocks();
        List<Block> b = right.operation().regions().get(r).blocks();
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
          map(a.get(i).arguments(), b.get(i).arguments());
        }
      }
    }
  }

  private void map(List<Value> left, List<Value> right) {
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      values.put(left.get(i), right.get(i));
    }
  }

  private void compare(int line, ProgramLines.Line left, ProgramLines.Line right) {
    if (left.isOperation() && right.isOperation()) {
      boolean alike = left.key() == right.key();
      for (Difference difference : operations.of(left.operation(), right.operation(), alike)) {
        add(difference, line);
      }
    } else if (left.key() != right.key()) {
      operations
          .types(left.operation(), left.values(), right.operation(), right.values(), "parameter")
          .ifPresent(difference -> add(difference, line));
    }
    for (int i = 0; i < Math.min(left.operands().size(), right.operands().size()); i++) {
      Value wanted = values.get(left.operands().get(i));
      if (wanted != null
          && wanted != right.operands().get(i)
          && isBeside(right.operands().get(i))) {
        add(
            new Difference(
                DifferenceKind.OPERAND,
                "operand " + i,
                left.operation(),
                left.location(),
                OperationDiff.name(left.operands().get(i)),
                right.operation(),
                right.location(),
                OperationDiff.name(right.operands().get(i)),
                null),
            line);
      }
    }
  }

  private @Nullable Map<Value, Boolean> mapped;

  /** Returns whether {@code value} of the other program stands beside one of the reference. */
  private boolean isBeside(Value value) {
    Map<Value, Boolean> known = mapped;
    if (known == null) {
      known = new IdentityHashMap<>();
      for (Value each : values.values()) {
        known.put(each, true);
      }
      mapped = known;
    }
    return known.containsKey(value);
  }

  /** Adds lines that stand alone; two that are alike are one that has moved. */
  private void leftOver() {
    Map<Long, List<Integer>> alone = new HashMap<>();
    for (int j = 0; j < back.length; j++) {
      if (back[j] < 0) {
        alone.computeIfAbsent(other.lines().get(j).key(), key -> new ArrayList<>()).add(j);
      }
    }
    boolean[] moved = new boolean[back.length];
    for (int i = 0; i < beside.length; i++) {
      if (beside[i] >= 0) {
        continue;
      }
      ProgramLines.Line left = reference.lines().get(i);
      List<Integer> places = alone.get(left.key());
      if (places != null && !places.isEmpty()) {
        int j = places.remove(0);
        moved[j] = true;
        ProgramLines.Line right = other.lines().get(j);
        add(
            new Difference(
                DifferenceKind.ORDER,
                operations.name(left.operation()),
                left.operation(),
                left.location(),
                "here",
                right.operation(),
                right.location(),
                j > i ? "later" : "earlier",
                null),
            i);
      } else if (left.isOperation()) {
        boolean site = reference.isSite(left.operation());
        add(
            new Difference(
                site ? DifferenceKind.MISSING_COLLECTIVE : DifferenceKind.MISSING_OP,
                operations.name(left.operation()),
                left.operation(),
                left.location(),
                operations.name(left.operation()),
                null,
                near(other, beside, i),
                "nothing",
                null),
            i);
      }
    }
    for (int j = 0; j < back.length; j++) {
      ProgramLines.Line right = other.lines().get(j);
      if (back[j] < 0 && !moved[j] && right.isOperation()) {
        boolean site = other.isSite(right.operation());
        add(
            new Difference(
                site ? DifferenceKind.EXTRA_COLLECTIVE : DifferenceKind.EXTRA_OP,
                operations.name(right.operation()),
                null,
                near(reference, back, j),
                "nothing",
                right.operation(),
                right.location(),
                operations.name(right.operation()),
                null),
            lineBefore(j));
      }
    }
  }

  private int lineBefore(int j) {
    int at = j;
    while (at >= 0 && back[at] < 0) {
      at--;
    }
    return at < 0 ? 0 : back[at];
  }

  /** Returns the place of the first line after {@code line} that has one on the other side. */
  private static Location near(ProgramLines lines, int[] sides, int line) {
    for (int i = line; i < sides.length; i++) {
      if (sides[i] >= 0) {
        return lines.lines().get(sides[i]).location();
      }
    }
    return start(lines.module());
  }
}
