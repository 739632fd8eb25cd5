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

/** {@code stablehlo.collective_reduce}, HLO's {@code collective-reduce}. */
public final class CollectiveReduce {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.collective_reduce")
          .hlo("collective-reduce")
          .summary("Folds the operands of all members and gives the first the result")
          .attributes(
              Collectives.GROUPS,
              Collectives.CHANNEL,
              Collectives.USE_GLOBAL_DEVICE_IDS,
              Collectives.HAS_DYNAMIC_ROOT)
          .bodies("to_apply")
          .trait(Trait.COLLECTIVE)
          .takesAll(TypeClass.TENSOR)
          .givesAll(TypeClass.TENSOR)
          .constraint("C1", "no id stands twice", GroupRules.uniqueIds())
          .constraint("C2", "no id is negative", GroupRules.naturalIds())
          .moduleConstraint("I3", "global ids need a channel and groups", GroupRules.globalIds())
          .bodyConstraint("C4", "the body folds two elements", GroupRules.reducer())
          .constraint("C3", "results have the shapes of the operands", GroupRules.same(false))
          .constraint("I1", "there is an operand, and a root for each", GroupRules.roots())
          .constraint("results", "there is a result for each operand", GroupRules.resultForEach())
          .semantics(new Meaning())
          .build();

  private CollectiveReduce() {}

  /** Folds in group order; the root gets the result and all others zeros. */
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
      ImmutableList<Literal> folded = foldAll(operation, operands, count, bodies);
      ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
      for (int m = 0; m < members.size(); m++) {
        ImmutableList.Builder<Datum> results = ImmutableList.builder();
        for (int i = 0; i < count; i++) {
          boolean isRoot = root(operation, operands, i, dynamic) == m;
          results.add(isRoot ? folded.get(i) : Literal.zeros(folded.get(i).type()));
        }
        out.add(results.build());
      }
      return out.build();
    }

    @Override
    public ImmutableList<Datum> outside(Operation operation, ImmutableList<Datum> operands) {
      return zeros(operation);
    }
  }
}
