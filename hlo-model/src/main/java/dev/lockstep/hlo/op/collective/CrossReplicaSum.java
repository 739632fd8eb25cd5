package dev.lockstep.hlo.op.collective;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.kernel.ReductionKind;

/** {@code stablehlo.cross-replica-sum}. */
public final class CrossReplicaSum {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.cross-replica-sum")
          .summary("Adds the operands of all members; an old form of all_reduce")
          .attributes(Collectives.GROUPS)
          .trait(Trait.COLLECTIVE)
          .semantics(new Meaning())
          .build();

  private CrossReplicaSum() {}

  /** Adds in group order; all members get the same. */
  private static final class Meaning extends Meeting {
    @Override
    public ImmutableList<ImmutableList<Datum>> eval(
        Operation operation,
        ImmutableList<ImmutableList<Datum>> operands,
        ImmutableList<Integer> members,
        DeviceGrid grid,
        Semantics.BodyRunner bodies) {
      ImmutableList<Literal> folded = foldAll(operation, operands, ReductionKind.ADD);
      return toAll(ImmutableList.copyOf(folded), members.size());
    }
  }
}
