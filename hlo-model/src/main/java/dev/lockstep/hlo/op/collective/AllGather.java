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
import dev.lockstep.hlo.op.kernel.Results;

/** {@code stablehlo.all_gather}, HLO's {@code all-gather}. */
public final class AllGather {
  /** The dimension along which operands are joined. */
  public static final AttrKey<Long> DIMENSION =
      AttrKeys.integerOrList("all_gather_dim", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.all_gather")
          .hlo("all-gather")
          .summary("Joins the operands of all members")
          .attributes(
              DIMENSION, Collectives.GROUPS, Collectives.CHANNEL, Collectives.USE_GLOBAL_DEVICE_IDS)
          .trait(Trait.COLLECTIVE)
          .takesAll(TypeClass.TENSOR)
          .givesAll(TypeClass.TENSOR)
          .constraint("C1", "the dimension is one of the operands", GroupRules.dimension(DIMENSION))
          .constraint("C2", "no id stands twice", GroupRules.uniqueIds())
          .constraint("I3", "all groups have one size", GroupRules.uniformGroups())
          .constraint("C4", "the ids are 0, 1 and so on", GroupRules.denseIds())
          .moduleConstraint("C5", "global ids need a channel and groups", GroupRules.globalIds())
          .moduleConstraint(
              "C6",
              "results are the operands times the size of the group",
              GroupRules.scaled(DIMENSION, false))
          .semantics(new Meaning())
          .build();

  private AllGather() {}

  /** Returns each operand of all members joined in group order. */
  private static ImmutableList<Literal> joinAll(
      Operation operation, ImmutableList<ImmutableList<Datum>> operands) {
    int dim = Math.toIntExact(DIMENSION.get(operation));
    ImmutableList.Builder<Literal> out = ImmutableList.builder();
    for (int i = 0; i < operands.get(0).size(); i++) {
      ImmutableList.Builder<Literal> parts = ImmutableList.builder();
      for (ImmutableList<Datum> member : operands) {
        parts.add(Results.literal(operation, member, i));
      }
      out.add(Parts.join(parts.build(), dim));
    }
    return out.build();
  }

  /** Joins in group order; all members get the same. */
  static final class Meaning extends Meeting {
    @Override
    public ImmutableList<ImmutableList<Datum>> eval(
        Operation operation,
        ImmutableList<ImmutableList<Datum>> operands,
        ImmutableList<Integer> members,
        DeviceGrid grid,
        Semantics.BodyRunner bodies) {
      return toAll(ImmutableList.copyOf(joinAll(operation, operands)), members.size());
    }
  }
}
