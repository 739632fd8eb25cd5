package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics.BodyRunner;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.op.kernel.Wide;
import dev.lockstep.hlo.type.TensorType;

/** {@code stablehlo.map}. */
public final class MapOp {
  /** The dimensions that are walked: all of them. */
  public static final AttrKey<ImmutableLongArray> DIMENSIONS =
      AttrKeys.longs("dimensions", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.map")
          .hlo("map")
          .summary("Applies a function to each element")
          .attributes(DIMENSIONS)
          .bodies("to_apply")
          .regional(MapOp::eval)
          .build();

  private MapOp() {}

  private static ImmutableList<Datum> eval(
      Operation operation, ImmutableList<Datum> operands, BodyRunner bodies) {
    ImmutableList<Literal> inputs = Results.literals(operation, operands, 0, operands.size());
    LiteralBuilder out =
        new LiteralBuilder(
            TensorType.of(Results.tensor(operation, 0).element(), inputs.get(0).dims()));
    for (int i = 0; i < inputs.get(0).count(); i++) {
      ImmutableList.Builder<Datum> arguments = ImmutableList.builder();
      for (Literal input : inputs) {
        arguments.add(Wide.scalarAt(input, i));
      }
      out.copy(i, (Literal) bodies.run(0, arguments.build()).get(0), 0);
    }
    return ImmutableList.of(out.build());
  }
}
