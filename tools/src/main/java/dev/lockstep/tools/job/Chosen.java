package dev.lockstep.tools.job;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.runtime.plan.PlanPrograms;
import java.util.List;

/**
 * What a rank runs of a program.
 *
 * @param program for the interpreter
 * @param isPlan whether it takes its arguments as a list of tensors, not as its function does
 * @param words what was made of the program, for people
 */
record Chosen(Program program, boolean isPlan, String words) {
  static Chosen whole(Module module, String words) {
    return new Chosen(Program.of(module), false, words);
  }

  static Chosen plan(ExecutionPlan plan) {
    int segments = plan.steps().size();
    return new Chosen(
        PlanPrograms.program(List.of(plan), "segment", 1),
        true,
        segments == 1 ? "it runs whole" : "it runs in " + segments + " segments");
  }

  /** Returns the arguments as the program takes them. */
  ImmutableList<Datum> pack(int rank, ImmutableList<Literal> arguments) {
    return isPlan
        ? ImmutableList.copyOf(arguments)
        : Flattening.pack(program.entry(rank), rank, (index, device, type) -> arguments.get(index));
  }
}
