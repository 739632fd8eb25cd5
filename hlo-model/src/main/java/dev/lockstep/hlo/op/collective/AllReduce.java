package dev.lockstep.hlo.op.collective;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.all_reduce}, HLO's {@code all-reduce}. */
public final class AllReduce {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.all_reduce")
          .hlo("all-reduce")
          .summary("Folds the operands of all members")
          .attributes(Collectives.GROUPS, Collectives.CHANNEL, Collectives.USE_GLOBAL_DEVICE_IDS)
          .bodies("to_apply")
          .trait(Trait.COLLECTIVE)
          .takesAll(TypeClass.TENSOR)
          .givesAll(TypeClass.TENSOR)
          .constraint("C1", "no id stands twice", GroupRules.uniqueIds())
          .constraint("C3", "the ids are 0, 1 and so on", GroupRules.denseIds())
          .moduleConstraint("C4", "global ids need a channel and groups", GroupRules.globalIds())
          .bodyConstraint("C5", "the body folds two elements", GroupRules.reducer())
          .constraint("C6", "results have the shapes of the operands", GroupRules.same(false))
          .bodyConstraint(
              "C7", "results have the elements that the body gives", GroupRules.reduced())
          .semantics(new Meaning())
          .build();

  private AllReduce() {}

  /** Folds in group order; all members get the same. */
  static final class Meaning extends Meeting {
    @Override
    public ImmutableList<ImmutableList<Datum>> eval(
        Operation operation,
        ImmutableList<ImmutableList<Datum>> operands,
        ImmutableList<Integer> members,
        DeviceGrid grid,
        Semantics.BodyRunner bodies) {
      ImmutableList<Literal> folded = foldAll(operation, operands, operands.get(0).size(), bodies);
      return toAll(ImmutableList.copyOf(folded), members.size());
    }
  }
}
