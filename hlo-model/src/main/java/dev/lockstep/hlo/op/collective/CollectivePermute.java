package dev.lockstep.hlo.op.collective;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Results;
import java.util.Arrays;

/** {@code stablehlo.collective_permute}, HLO's {@code collective-permute}. */
public final class CollectivePermute {
  private static final String SLICES = "slice_sizes";

  /** Of the form with four operands: the sizes of what is moved. */
  public static final AttrKey<ImmutableList<ImmutableLongArray>> SLICE_SIZES =
      AttrKeys.rows("", SLICES);

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.collective_permute")
          .hlo("collective-permute")
          .summary("Sends operands along pairs of ids")
          .attributes(Collectives.PAIRS, Collectives.CHANNEL)
          .trait(Trait.COLLECTIVE)
          // HLO's form that writes in place has tuples of indices behind its buffers.
          .constraint(
              "I1",
              "operand 0 is a tensor, or a tuple of which slices are sent",
              (operation, code, sink) -> {
                boolean slices = operation.attribute(SLICES) != null;
                boolean none = operation.operands().isEmpty();
                if (!none && !slices && !TypeClass.TENSOR.admits(operation.operand(0).type())) {
                  sink.error(
                      code,
                      "stablehlo.collective_permute takes a tensor as operand 0, not "
                          + operation.operand(0).type(),
                      operation.location());
                }
              })
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
    int[] sourceOf = sources(operation, count);
    ImmutableList<ImmutableLongArray> sizes = SLICE_SIZES.find(operation);
    ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
    for (int m = 0; m < count; m++) {
      ImmutableList<Datum> own = operands.get(m);
      if (sizes != null && own.size() == 4) {
        out.add(
            ImmutableList.of(
                sourceOf[m] < 0
                    ? own.get(1)
                    : PermutedSlices.place(operands.get(sourceOf[m]), own, sizes)));
      } else if (sourceOf[m] >= 0) {
        out.add(operands.get(sourceOf[m]));
      } else {
        out.add(Meeting.zerosLike(Results.literals(operation, own, 0, own.size())));
      }
    }
    return out.build();
  }

  /** Returns for each member who sends to it, -1 for nobody. */
  private static int[] sources(Operation operation, int count) {
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
    return sourceOf;
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
