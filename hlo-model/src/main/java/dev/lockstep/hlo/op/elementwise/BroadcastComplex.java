package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.broadcast_complex}: Op complex with operands broadcast to a common shape. */
public final class BroadcastComplex {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_complex")
          .summary("Op complex with operands broadcast to a common shape")
          .inherent("broadcast_dimensions")
          .takes(TypeClass.FLOAT.plain().orUnranked(), TypeClass.FLOAT.plain().orUnranked())
          .gives(TypeClass.COMPLEX.orUnranked())
          .constraint(
              "C1",
              "operands have elements of one type",
              TensorRule.of(Broadcasting::checkElements))
          .constraint("C2", "operands fit into the result", TensorRule.of(Broadcasting::check))
          .local(new Broadcasting(Complex.DEF))
          .build();

  private BroadcastComplex() {}
}
