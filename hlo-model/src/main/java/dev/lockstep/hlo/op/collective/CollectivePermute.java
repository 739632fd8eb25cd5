package dev.lockstep.hlo.op.collective;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Results;
import java.util.Arrays;

/** {@code stablehlo.collective_permute}, HLO's {@code collective-permute}. */
public final class CollectivePermute {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.collective_permute")
          .hlo("collective-permute")
          .summary("Sends operands along pairs of ids")
          .attributes(Collectives.PAIRS, Collectives.CHANNEL)
          .trait(Trait.COLLECTIVE)
          .takesAll(TypeClass.TENSOR)
          .givesAll(TypeClass.TENSOR)
          .constraint("C1", "pairs are pairs", GroupRules.pairShape())
          .constraint("C2", "no source stands twice", GroupRules.uniqueEnds(0))
          .constraint("C3", "no target stands twice", GroupRules.uniqueEnds(1))
          .constraint("C4", "no id is negative", GroupRules.naturalPairs())
          .constraint("C5", "results have the types of the operands", GroupRules.same(true))
          .semantics(new Meaning())
          .build();

  private CollectivePermute() {}

  /**
   * Returns what every member gets; ids of pairs are positions in the group, which holds all ids.
   *
   * @throws IllegalArgumentException if an id is out of range or a target stands twice
   */
  private static ImmutableList<ImmutableList<Datum>> permute(
      Operation operation, ImmutableList<ImmutableList<Datum>> operands) {
    int count = operands.size();
    int[] sourceOf = new int[count];
    Arrays.fill(sourceOf, -1);
    for (ImmutableLongArray pair : Collectives.pairs(operation)) {
      long source = pair.get(0);
      long target = pair.get(1);
      checkArgument(
          source >= 0 && source < count && target >= 0 && target < count,
          "pair %s is out of range, have %s",
          pair,
          count);
      checkArgument(sourceOf[(int) target] < 0, "target %s stands in two pairs", target);
      sourceOf[(int) target] = (int) source;
    }
    ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
    for (int m = 0; m < count; m++) {
      int size = operands.get(m).size();
      out.add(
          sourceOf[m] >= 0
              ? operands.get(sourceOf[m])
              : Meeting.zerosLike(Results.literals(operation, operands.get(m), 0, size)));
    }
    return out.build();
  }

  /** Targets get what their source brings; zeros where nothing comes. */
  static final class Meaning extends Meeting {
    @Override
    public ImmutableList<ImmutableList<Datum>> eval(
        Operation operation,
        ImmutableList<ImmutableList<Datum>> operands,
        ImmutableList<Integer> members,
        DeviceGrid grid,
        Semantics.BodyRunner bodies) {
      return permute(operation, operands);
    }
  }
}
