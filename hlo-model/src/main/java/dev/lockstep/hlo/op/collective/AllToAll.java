package dev.lockstep.hlo.op.collective;

import static com.google.common.base.Preconditions.checkArgument;

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
import dev.lockstep.hlo.op.kernel.Parts;
import dev.lockstep.hlo.op.kernel.Results;

/** {@code stablehlo.all_to_all}, HLO's {@code all-to-all}. */
public final class AllToAll {
  /** The dimension that is cut; absent in the tuple form. */
  public static final AttrKey<Long> SPLIT_DIMENSION =
      AttrKeys.integerOrList("split_dimension", "dimensions");

  /** The dimension along which parts are joined; absent in the tuple form. */
  public static final AttrKey<Long> CONCAT_DIMENSION =
      AttrKeys.integerOrList("concat_dimension", "dimensions");

  /** Number of parts, in MLIR. */
  public static final AttrKey<Long> SPLIT_COUNT = AttrKeys.integer("split_count", "");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.all_to_all")
          .hlo("all-to-all")
          .summary("Gives each member a part of every operand")
          .attributes(
              SPLIT_DIMENSION,
              CONCAT_DIMENSION,
              SPLIT_COUNT,
              Collectives.GROUPS,
              Collectives.CHANNEL)
          .trait(Trait.COLLECTIVE)
          .semantics(new Meaning())
          .build();

  private AllToAll() {}

  /** Member i gets part i of every operand, joined in group order; or operand i in tuple form. */
  private static final class Meaning extends Meeting {
    @Override
    public ImmutableList<ImmutableList<Datum>> eval(
        Operation operation,
        ImmutableList<ImmutableList<Datum>> operands,
        ImmutableList<Integer> members,
        DeviceGrid grid,
        Semantics.BodyRunner bodies) {
      Long split = SPLIT_DIMENSION.find(operation);
      if (split == null) {
        return tupleForm(operation, operands, members.size());
      }
      int count = members.size();
      Long parts = SPLIT_COUNT.find(operation);
      checkArgument(
          parts == null || parts == count, "split_count is %s in a group of %s", parts, count);
      int splitDim = Math.toIntExact(split);
      int concatDim = Math.toIntExact(CONCAT_DIMENSION.get(operation));
      ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
      for (int m = 0; m < count; m++) {
        ImmutableList.Builder<Datum> results = ImmutableList.builder();
        for (int i = 0; i < operands.get(0).size(); i++) {
          ImmutableList.Builder<Literal> received = ImmutableList.builder();
          for (ImmutableList<Datum> sender : operands) {
            received.add(Parts.part(Results.literal(operation, sender, i), splitDim, m, count));
          }
          results.add(Parts.join(received.build(), concatDim));
        }
        out.add(results.build());
      }
      return out.build();
    }

    private static ImmutableList<ImmutableList<Datum>> tupleForm(
        Operation operation, ImmutableList<ImmutableList<Datum>> operands, int count) {
      ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
      for (int m = 0; m < count; m++) {
        ImmutableList.Builder<Datum> results = ImmutableList.builder();
        for (ImmutableList<Datum> sender : operands) {
          checkArgument(
              sender.size() == count, "%s operands in a group of %s", sender.size(), count);
          results.add(Results.literal(operation, sender, m));
        }
        out.add(results.build());
      }
      return out.build();
    }
  }
}
