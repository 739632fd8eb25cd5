package dev.lockstep.tools.run;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.runtime.interp.EntryLayout;
import dev.lockstep.runtime.values.Tolerance;
import dev.lockstep.runtime.values.ValueKeys;
import dev.lockstep.tools.run.Results.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Compares what two backends computed of one program. Where devices hold parts of arrays that they
 * share, the arrays are compared: which summand of an unreduced value a device holds, and what lies
 * on devices that a sharding gives nothing, a backend may choose; and where the program says
 * nothing of a result, how it lies too.
 */
final class BackendComparison {
  private final EntryLayout layout;
  private final @Nullable Double relative;
  private final @Nullable Double absolute;
  private final ImmutableList.Builder<String> differences = ImmutableList.builder();
  private final ImmutableMap.Builder<String, Verdict> verdicts = ImmutableMap.builder();
  private int compared;

  BackendComparison(EntryLayout layout, @Nullable Double relative, @Nullable Double absolute) {
    this.layout = layout;
    this.relative = relative;
    this.absolute = absolute;
  }

  /** Compares {@code actual} with {@code reference}, both by device. */
  Results.Comparison compare(
      ImmutableList<ImmutableList<Literal>> reference,
      ImmutableList<ImmutableList<Literal>> actual) {
    int together = layout.partitions();
    for (int first = 0; first < actual.size(); first += together) {
      int count = Math.max(reference.get(first).size(), actual.get(first).size());
      for (int i = 0; i < count; i++) {
        check(i, first, parts(reference, i, first), parts(actual, i, first));
      }
    }
    return new Results.Comparison(compared, differences.build(), verdicts.buildOrThrow());
  }

  private List<Literal> parts(ImmutableList<ImmutableList<Literal>> values, int index, int first) {
    List<Literal> out = new ArrayList<>();
    for (int device = first; device < first + layout.partitions(); device++) {
      if (index < values.get(device).size()) {
        out.add(values.get(device).get(index));
      }
    }
    return out;
  }

  private void check(int index, int first, List<Literal> wanted, List<Literal> actual) {
    List<String> found = new ArrayList<>();
    if (wanted.size() != layout.partitions() || actual.size() != layout.partitions()) {
      found.add("out" + index + " is not given by all devices of both backends");
    } else if (layout.isOwn(index)) {
      for (int i = 0; i < actual.size(); i++) {
        add(found, ValueKeys.result(index, first + i), wanted.get(i), actual.get(i));
      }
    } else if (!isAlike(wanted, actual)) {
      array(found, index, first, wanted, actual);
    }
    for (int i = 0; i < actual.size(); i++) {
      verdicts.put(
          ValueKeys.result(index, first + i),
          found.isEmpty() ? Verdict.AS_EXPECTED : Verdict.DIFFERS);
    }
    compared += actual.size();
    differences.addAll(found);
  }

  private boolean isAlike(List<Literal> wanted, List<Literal> actual) {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < actual.size(); i++) {
      add(found, "", wanted.get(i), actual.get(i));
    }
    return found.isEmpty();
  }

  private void array(
      List<String> found, int index, int first, List<Literal> wanted, List<Literal> actual) {
    String name = "out" + index + " of devices " + first + "-" + (first + actual.size() - 1);
    Literal whole = layout.whole(index, wanted);
    if (layout.isOpen(index)) {
      if (!isSum(whole, actual)) {
        found.addAll(OpenParts.differences(index, first, whole, actual, tolerance(whole)));
      }
      return;
    }
    try {
      add(found, name, whole, layout.whole(index, actual));
    } catch (IllegalArgumentException e) {
      found.add(name + ": " + e.getMessage());
    }
  }

  private boolean isSum(Literal whole, List<Literal> parts) {
    return parts.stream().allMatch(part -> part.type().equals(whole.type()))
        && tolerance(whole).firstDifference(whole, EntryLayout.sum(parts)).isEmpty();
  }

  private Tolerance tolerance(Literal value) {
    return Results.tolerance(value, relative, absolute);
  }

  private void add(List<String> found, String name, Literal wanted, Literal actual) {
    if (!wanted.type().equals(actual.type())) {
      found.add(name + " is " + actual.type() + ", the interpreter has " + wanted.type());
      return;
    }
    OptionalInt at = tolerance(actual).firstDifference(wanted, actual);
    if (at.isPresent()) {
      found.add(
          String.format(
              "%s differs at %s: got %s, the interpreter %s",
              name,
              Results.place(actual, at.getAsInt()),
              Results.element(actual, at.getAsInt()),
              Results.element(wanted, at.getAsInt())));
    }
  }
}
