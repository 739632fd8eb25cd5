package dev.lockstep.pass.region.merge;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.ir.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a merge did, and what it could not do. */
final class MergeLog {
  private final Map<MergeStep, Integer> steps = new LinkedHashMap<>();
  private final List<Diagnostic> problems = new ArrayList<>();

  /** Notes what was done in place of {@code operation}; the same thing counts once. */
  void step(String kind, String message, Operation operation) {
    steps.merge(new MergeStep(kind, message, operation.location()), 1, Integer::sum);
  }

  void problems(List<Diagnostic> found) {
    problems.addAll(found);
  }

  ImmutableList<MergeStep> steps() {
    return ImmutableList.copyOf(steps.keySet());
  }

  ImmutableList<Diagnostic> problems() {
    return ImmutableList.copyOf(problems);
  }
}
