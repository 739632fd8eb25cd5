package dev.lockstep.pass.region.match;

import com.google.common.collect.ImmutableList;
import dev.lockstep.pass.region.RankPrograms;
import org.jspecify.annotations.Nullable;

/** One rank on its way through its programs, or through one body of them. */
final class Strand {
  private final Evaluator evaluator;
  private final ImmutableList<RankPrograms.Program> programs;

  /** The programs that are done or running. */
  private int program;

  @Nullable Frame top;
  @Nullable Wait waiting;

  /** The frame that the strand began with, which holds what its body gives back. */
  final @Nullable Frame bottom;

  /** Creates a strand that runs {@code programs}. */
  Strand(Evaluator evaluator, ImmutableList<RankPrograms.Program> programs) {
    this.evaluator = evaluator;
    this.programs = programs;
    this.program = -1;
    this.bottom = null;
  }

  /** Creates a strand that runs one body, which is part of what {@code of} runs. */
  Strand(Strand of, Frame bottom) {
    this.evaluator = of.evaluator;
    this.programs = of.programs;
    this.program = of.program;
    this.bottom = bottom;
    this.top = bottom;
  }

  int rank() {
    return evaluator.rank();
  }

  Evaluator evaluator() {
    return evaluator;
  }

  /** Goes on to the next program that does anything; returns whether there is one. */
  boolean nextProgram(StepsOfJob steps) {
    while (bottom == null && ++program < programs.size()) {
      Steps module = steps.of(programs.get(program).module());
      if (module.hasEntry()) {
        top = new Frame(module, module.entry(), null, null, evaluator.arguments(module, program));
        return true;
      }
    }
    return false;
  }

  /** Returns the program that it runs, or ran last. */
  RankPrograms.Program program() {
    return programs.get(Math.max(0, Math.min(program, programs.size() - 1)));
  }

  boolean isFinished() {
    return top == null && waiting == null;
  }
}
