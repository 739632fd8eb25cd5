package dev.lockstep.hlo.op.collective;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Results;

/** {@code stablehlo.collective_broadcast}, HLO's {@code collective-broadcast}. */
public final class CollectiveBroadcast {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.collective_broadcast")
          .hlo("collective-broadcast")
          .summary("Gives the first member's operand to all")
          .attributes(Collectives.GROUPS, Collectives.CHANNEL, Collectives.HAS_DYNAMIC_ROOT)
          .trait(Trait.COLLECTIVE)
          .takesAll(TypeClass.TENSOR)
          .givesAll(TypeClass.TENSOR)
          .constraint("C1", "no id stands twice", GroupRules.uniqueIds())
          .constraint("C2", "no id is negative", GroupRules.naturalIds())
          .constraint("C3", "results have the types of the operands", GroupRules.same(true))
          .constraint("C4", "there is an operand, and a root for each", GroupRules.roots())
          .constraint("C5", "there is a result for each operand", GroupRules.resultForEach())
          .semantics(new Meaning())
          .build();

  private CollectiveBroadcast() {}

  /** The first member, or the dynamic root, gives to all. */
  private static final class Meaning extends Meeting {
    @Override
    public ImmutableList<ImmutableList<Datum>> eval(
        Operation operation,
        ImmutableList<ImmutableList<Datum>> operands,
        ImmutableList<Integer> members,
        DeviceGrid grid,
        Semantics.BodyRunner bodies) {
      boolean dynamic = Collectives.HAS_DYNAMIC_ROOT.getOr(operation, false);
      int count = operands.get(0).size() - (dynamic ? 1 : 0);
      ImmutableList.Builder<Datum> out = ImmutableList.builder();
      for (int i = 0; i < count; i++) {
        int root = root(operation, operands, i, dynamic);
        out.add(Results.literal(operation, operands.get(root), i));
      }
      return toAll(out.build(), members.size());
    }

    @Override
    public ImmutableList<Datum> outside(Operation operation, ImmutableList<Datum> operands) {
      return zeros(operation);
    }
  }
}
