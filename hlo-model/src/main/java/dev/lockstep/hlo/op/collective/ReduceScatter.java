package dev.lockstep.hlo.op.collective;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Parts;

/** {@code stablehlo.reduce_scatter}, HLO's {@code reduce-scatter}. */
public final class ReduceScatter {
  /** The dimension that is cut. */
  public static final AttrKey<Long> DIMENSION =
      AttrKeys.integerOrList("scatter_dimension", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.reduce_scatter")
          .hlo("reduce-scatter")
          .summary("Folds the operands of all members and gives each a part")
          .attributes(
              DIMENSION, Collectives.GROUPS, Collectives.CHANNEL, Collectives.USE_GLOBAL_DEVICE_IDS)
          .bodies("to_apply")
          .trait(Trait.COLLECTIVE)
          .takesAll(TypeClass.TENSOR)
          .givesAll(TypeClass.TENSOR)
          .constraint("C2", "the dimension is one of the operands", GroupRules.dimension(DIMENSION))
          .constraint("C3", "no id stands twice", GroupRules.uniqueIds())
          .constraint("I3", "all groups have one size", GroupRules.uniformGroups())
          .constraint("C5", "the ids are 0, 1 and so on", GroupRules.denseIds())
          .moduleConstraint("C6", "global ids need a channel and groups", GroupRules.globalIds())
          .bodyConstraint("C7", "the body folds two elements", GroupRules.reducer())
          .moduleConstraint(
              "C8",
              "results are the operands over the size of the group",
              GroupRules.scaled(DIMENSION, true))
          .bodyConstraint(
              "C9", "results have the elements that the body gives", GroupRules.reduced())
          .semantics(new Meaning())
          .build();

  private ReduceScatter() {}

  /** Folds in group order; member i gets part i. */
  private static final class Meaning extends Meeting {
    @Override
    public ImmutableList<ImmutableList<Datum>> eval(
        Operation operation,
        ImmutableList<ImmutableList<Datum>> operands,
        ImmutableList<Integer> members,
        DeviceGrid grid,
        Semantics.BodyRunner bodies) {
      int dim = Math.toIntExact(DIMENSION.get(operation));
      int count = members.size();
      ImmutableList<Literal> folded = foldAll(operation, operands, operands.get(0).size(), bodies);
      ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
      for (int m = 0; m < count; m++) {
        ImmutableList.Builder<Datum> parts = ImmutableList.builder();
        for (Literal tensor : folded) {
          parts.add(Parts.part(tensor, dim, m, count));
        }
        out.add(parts.build());
      }
      return out.build();
    }
  }
}
