package dev.lockstep.hlo.op.collective;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.type.TensorType;

/** HLO's {@code ragged-all-to-all}. */
public final class RaggedAllToAll {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.ragged_all_to_all")
          .hlo("ragged-all-to-all")
          .summary("Sends rows of unequal numbers to every member")
          .attributes(Collectives.GROUPS, Collectives.CHANNEL)
          .trait(Trait.COLLECTIVE)
          .semantics(new Meaning())
          .build();

  private RaggedAllToAll() {}

  /** Sender s writes its rows for peer p into p's output, at the offset that s names. */
  private static final class Meaning extends Meeting {
    @Override
    public ImmutableList<ImmutableList<Datum>> eval(
        Operation operation,
        ImmutableList<ImmutableList<Datum>> operands,
        ImmutableList<Integer> members,
        DeviceGrid grid,
        Semantics.BodyRunner bodies) {
      int count = members.size();
      ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
      for (int receiver = 0; receiver < count; receiver++) {
        Literal output = Results.literal(operation, operands.get(receiver), 1);
        LiteralBuilder builder = new LiteralBuilder(output.type());
        builder.copyRange(0, output, 0, output.count());
        for (ImmutableList<Datum> sender : operands) {
          send(operation, sender, receiver, count, builder);
        }
        out.add(ImmutableList.of(builder.build()));
      }
      return out.build();
    }

    private static void send(
        Operation operation,
        ImmutableList<Datum> sender,
        int receiver,
        int count,
        LiteralBuilder to) {
      Literal input = Results.literal(operation, sender, 0);
      long[] inputOffsets = Results.literal(operation, sender, 2).toLongs();
      long[] sizes = Results.literal(operation, sender, 3).toLongs();
      long[] outputOffsets = Results.literal(operation, sender, 4).toLongs();
      int perPeer = sizes.length / count;
      int row = rowSize(input.type());
      for (int k = receiver * perPeer; k < (receiver + 1) * perPeer; k++) {
        long rows = sizes[k];
        checkArgument(
            rows >= 0
                && inputOffsets[k] >= 0
                && inputOffsets[k] + rows <= input.type().dim(0)
                && outputOffsets[k] >= 0
                && outputOffsets[k] + rows <= to.type().dim(0),
            "rows %s + %s to %s are out of bounds",
            inputOffsets[k],
            rows,
            outputOffsets[k]);
        to.copyRange(
            (int) outputOffsets[k] * row, input, (int) inputOffsets[k] * row, (int) rows * row);
      }
    }

    private static int rowSize(TensorType type) {
      int out = 1;
      for (int i = 1; i < type.rank(); i++) {
        out *= (int) type.dim(i);
      }
      return out;
    }
  }
}
