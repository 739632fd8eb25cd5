package dev.lockstep.pass.region.repair;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.pass.region.align.Alignment;
import dev.lockstep.pass.region.align.ProgramClasses;
import dev.lockstep.pass.region.align.RankText;
import dev.lockstep.pass.region.merge.AddedInput;
import dev.lockstep.pass.region.merge.MergeRule;
import dev.lockstep.pass.region.merge.MergeStep;
import dev.lockstep.pass.region.merge.Merger;
import dev.lockstep.pass.region.merge.Sizes;
import dev.lockstep.pass.region.shards.PaddedTensor;
import dev.lockstep.pass.region.shards.ShardRules;
import dev.lockstep.pass.region.shards.ShardSizes;

/**
 * Makes the programs of ranks one text, where they differ only in data: literals, amounts and
 * starts from which operations exist that take them at run time, names, places, the order of
 * independent operations. The sequence of collectives stays what every rank has.
 */
public final class DivergenceRepair {
  /**
   * What a repair gives.
   *
   * @param ranks the program of each rank, one object for all; those given when there are problems
   * @param steps what was done, in the order of the first rank's program
   * @param inputs arguments that the program takes in addition
   * @param padded arguments and results that have other sizes than in a rank's own program
   * @param problems what cannot be repaired and why, empty when the repair succeeded
   */
  public record Result(
      ImmutableList<Module> ranks,
      ImmutableList<MergeStep> steps,
      ImmutableList<AddedInput> inputs,
      ImmutableList<PaddedTensor> padded,
      ImmutableList<Diagnostic> problems) {
    private static Result unchanged(
        ProgramClasses classes,
        ImmutableList<MergeStep> steps,
        ImmutableList<Diagnostic> problems) {
      return new Result(
          DivergenceRepair.ranks(classes), steps, ImmutableList.of(), ImmutableList.of(), problems);
    }
  }

  private DivergenceRepair() {}

  /** Returns {@code classes} repaired; the same programs when they are equal already. */
  public static Result repair(ProgramClasses classes, RepairOptions options) {
    if (classes.count() == 1) {
      return Result.unchanged(classes, ImmutableList.of(), ImmutableList.of());
    }
    Alignment alignment = Alignment.of(classes);
    if (!alignment.problems().isEmpty()) {
      return Result.unchanged(classes, ImmutableList.of(), alignment.problems());
    }
    ImmutableList<MergeRule> rules =
        ImmutableList.<MergeRule>builder()
            .add(new LiteralRule(options))
            .add(new ReducerRule(options))
            .add(PadRule.INSTANCE)
            .add(SliceRule.INSTANCE)
            .add(GroupsRule.INSTANCE)
            .addAll(ShardRules.ALL)
            .build();
    Sizes sizes = ShardSizes.of(alignment);
    Merger.Result merged = new Merger(alignment, rules, sizes).merge();
    if (!merged.problems().isEmpty()) {
      return Result.unchanged(classes, merged.steps(), merged.problems());
    }
    Module module = counted(merged.module(), classes.grid());
    ImmutableList.Builder<Module> same = ImmutableList.builder();
    for (int rank = 0; rank < classes.world(); rank++) {
      same.add(module);
    }
    return new Result(
        same.build(),
        steps(alignment, merged),
        merged.inputs(),
        PaddedTensor.of(classes, sizes),
        ImmutableList.of());
  }

  private static ImmutableList<MergeStep> steps(Alignment alignment, Merger.Result merged) {
    ImmutableList.Builder<MergeStep> out = ImmutableList.builder();
    out.addAll(merged.steps());
    Module base = alignment.classes().programs().get(0);
    if (merged.steps().isEmpty()) {
      out.add(
          new MergeStep(
              "order",
              "the programs differ in nothing but names, places and the order of independent"
                  + " operations: rank 0's text is taken",
              base.location()));
    }
    if (alignment.unused() > 0) {
      out.add(
          new MergeStep(
              "unused",
              RankText.counted(alignment.unused(), "operation")
                  + " of rank 0 that nothing uses left out",
              base.location()));
    }
    return out.build();
  }

  /**
   * Returns {@code module} with the counts of the job where it states others: a program traced by
   * one rank alone may say that there is one replica, and then every replica has the id 0.
   */
  private static Module counted(Module module, DeviceGrid grid) {
    boolean isHlo = module.syntax() == Syntax.HLO;
    Module out = module;
    if (module.replicas().isPresent() && module.replicas().getAsInt() != grid.replicas()) {
      out = with(out, isHlo ? Module.REPLICA_COUNT : Module.MHLO_NUM_REPLICAS, grid.replicas());
    }
    if (module.partitions().isPresent() && module.partitions().getAsInt() != grid.partitions()) {
      out =
          with(out, isHlo ? Module.NUM_PARTITIONS : Module.MHLO_NUM_PARTITIONS, grid.partitions());
    }
    return out;
  }

  private static Module with(Module module, String name, int count) {
    Attribute old = module.attributes().get(name);
    Attribute value =
        old instanceof Attribute.Int number
            ? new Attribute.Int(count, number.type())
            : Attribute.Int.untyped(count);
    return module.withAttributes(module.attributes().with(name, value));
  }

  private static ImmutableList<Module> ranks(ProgramClasses classes) {
    ImmutableList.Builder<Module> out = ImmutableList.builder();
    for (int rank = 0; rank < classes.world(); rank++) {
      out.add(classes.programs().get(classes.of(rank)));
    }
    return out.build();
  }
}
