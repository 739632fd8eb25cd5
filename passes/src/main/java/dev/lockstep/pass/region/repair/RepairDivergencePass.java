package dev.lockstep.pass.region.repair;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.PassContext;
import dev.lockstep.pass.PassInfo;
import dev.lockstep.pass.PassOption;
import dev.lockstep.pass.SetPass;
import dev.lockstep.pass.region.merge.MergeStep;
import dev.lockstep.pass.region.repair.RepairOptions.Literals;

/** {@code repair-divergence}: ranks' programs that differ in data become one text. */
public final class RepairDivergencePass implements SetPass {
  /** The pass; it holds no state. */
  public static final RepairDivergencePass INSTANCE = new RepairDivergencePass();

  private static final PassOption<String> LITERALS =
      PassOption.word(
          "literals",
          "auto",
          "Make literals that differ tables by rank, or arguments; auto: tables up to the limit",
          LiteralRule.words());

  private static final PassOption<Long> TABLE_LIMIT =
      PassOption.integer(
          "table-limit",
          RepairOptions.DEFAULT_TABLE_LIMIT,
          0,
          "Bytes up to which auto makes a table");

  private static final PassInfo INFO =
      PassInfo.of(
          "repair-divergence",
          "Makes ranks' programs that differ in data into one text for all ranks",
          """
          Runs on a set of ranks; a program alone stays as it is. Puts the programs side by side,
          from collectives and results along operands, so that names, places and the order of
          independent operations play no part, and writes the first rank's program with

          - literals that differ as a constant table with a row a rank, of which replica-id or
            partition-id picks one bit for bit, or as an argument (`literals=input`; the values are
            written beside the programs);
          - paddings by amounts that differ as a dynamic-update-slice at an index from a table, and
            slices that start elsewhere as dynamic slices;
          - groups and pairs that ranks list differently, but of themselves alike, listed once;
          - shards of uneven sizes as padded ones: what is behind a rank's own elements is kept
            from being seen, by select, before reductions, contractions and paddings.

          The sequence of collectives is what every rank has. Programs with different ops are
          refused with the place where they part; split them instead. torch.distributed calls of a
          set are matched across ranks by `lower-c10d`, which must run first.
          """,
          LITERALS,
          TABLE_LIMIT);

  private RepairDivergencePass() {}

  @Override
  public PassInfo info() {
    return INFO;
  }

  @Override
  public Module run(Module module, PassContext context) {
    return module;
  }

  @Override
  public ImmutableList<ImmutableList<Module>> runSet(
      ImmutableList<ImmutableList<Module>> ranks, PassContext context) {
    DeviceGrid grid = grid(ranks, context);
    RepairOptions options = options(context);
    RankRepair repair = RankRepair.of(ranks, grid, options);
    repair.problems().forEach(context.diagnostics()::report);
    context.diagnostics().throwIfErrors();
    checkValues(repair, ranks, context);
    for (MergeStep step : repair.steps()) {
      context.count(step.kind() + " repairs", 1);
    }
    for (int i = 0; i < repair.programs().size(); i++) {
      repair.values(i).forEach(context::keepValue);
    }
    return repair.ranks();
  }

  /** Added arguments are worth nothing when nobody keeps their values, or mixes them up. */
  private static void checkValues(
      RankRepair repair, ImmutableList<ImmutableList<Module>> ranks, PassContext context) {
    long having = repair.programs().stream().filter(it -> !it.inputs().isEmpty()).count();
    if (having > 0 && !context.keepsValues() || having > 1) {
      throw DiagnosticException.error(
          "repair-inputs",
          having > 1
              ? "arguments are added to several programs of a rank, whose values need a file each"
              : "arguments are added, and nothing keeps their values here",
          ranks.get(0).get(0).location());
    }
  }

  private static RepairOptions options(PassContext context) {
    Literals literals = LiteralRule.form(context.option(LITERALS));
    if (!context.keepsValues() && literals == Literals.AUTO) {
      literals = Literals.TABLE;
    }
    return new RepairOptions(literals, context.option(TABLE_LIMIT));
  }

  private static DeviceGrid grid(ImmutableList<ImmutableList<Module>> ranks, PassContext context) {
    Module first = ranks.get(0).get(0);
    int partitions = context.partitions(first).orElse(1);
    int replicas = ranks.size() / partitions;
    if (replicas * partitions != ranks.size()) {
      throw DiagnosticException.error(
          "repair-ranks",
          ranks.size() + " ranks cannot be divided into " + partitions + " partitions",
          first.location());
    }
    return new DeviceGrid(replicas, partitions);
  }
}
