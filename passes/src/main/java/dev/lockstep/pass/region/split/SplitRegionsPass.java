package dev.lockstep.pass.region.split;

import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanMode;
import dev.lockstep.pass.Pass;
import dev.lockstep.pass.PassContext;
import dev.lockstep.pass.PassInfo;
import dev.lockstep.pass.PassOption;
import java.util.List;

/** Cuts the entry function at its collectives. */
public final class SplitRegionsPass implements Pass {
  /** The pass; it holds no state. */
  public static final SplitRegionsPass INSTANCE = new SplitRegionsPass();

  private static final PassOption<String> MODE =
      PassOption.word(
          "mode",
          "auto",
          "fat: one segment; skinny: collectives apart; auto: apart where ranks differ",
          "fat",
          "skinny",
          "auto");

  private static final PassOption<Boolean> ALONE =
      PassOption.flag(
          "alone",
          false,
          "other ranks run other programs: every collective is a segment by itself");

  private static final PassInfo INFO =
      PassInfo.of(
          "split-regions",
          "Cuts the entry function into segments at its collectives",
          """
          Each segment becomes a function that the entry calls, in program order, marked with the
          frontend attribute `lockstep.segment`. The verb `split` writes the same segments as
          modules of their own, with the plan that joins them; docs/plans.md says what is kept.

          In mode `skinny` collectives that have nothing but each other, constants and tuples
          between them share a segment; waits, done operations and tuple elements go with what they
          wait for. That is right for one text that all ranks run; with `alone`, every collective is
          a segment by itself. In modes `fat` and `auto` one text that all ranks run stays whole:
          what differs between ranks only the verb can see.

          What computes and is used by nothing goes. Collectives keep their order. Calls of functions that communicate are written out; loops
          and branches that communicate stay whole, with a warning.
          """,
          MODE,
          ALONE);

  private SplitRegionsPass() {}

  @Override
  public PassInfo info() {
    return INFO;
  }

  @Override
  public Module run(Module module, PassContext context) {
    PlanMode mode = PlanMode.of(context.option(MODE)).orElseThrow();
    if (mode != PlanMode.SKINNY
        || OutlinedModule.isOutlined(module)
        || module.entryFunction().isEmpty()) {
      return module;
    }
    List<Module> programs = List.of(module);
    Split split = context.option(ALONE) ? Splitter.alone(programs) : Splitter.ofAll(programs, mode);
    split.notes().forEach(context.diagnostics()::report);
    ExecutionPlan plan = split.plans().classes().get(0).plan();
    if (plan.steps().size() <= 1) {
      return module;
    }
    context.count("segments", plan.steps().size());
    return OutlinedModule.of(Flow.of(module), plan);
  }
}
