package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.real_dynamic_slice}: cuts out a part whose bounds are given at run time. */
public final class RealDynamicSlice {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.real_dynamic_slice")
          .summary("Cuts out a part whose bounds are given at run time")
          .takes(
              TypeClass.TENSOR,
              TypeClass.INT.vector().orIndex(),
              TypeClass.INT.vector().orIndex(),
              TypeClass.INT.vector().orIndex())
          .gives(TypeClass.TENSOR)
          .constraint(
              "C1",
              "operand and result have elements of one type",
              TensorRule.of(ShapeRules::oneElement))
          .constraint(
              "C2",
              "there are bounds and steps for every dimension",
              TensorRule.of(
                  it -> {
                    for (int i = 1; i < 4; i++) {
                      it.require(
                          TensorRule.agree(it.operand(i).dim(0), it.operand(0).rank()),
                          "%s for an operand of rank %d",
                          it.operand(i),
                          it.operand(0).rank());
                    }
                  }))
          .local(RealDynamicSlice::eval)
          .build();

  private RealDynamicSlice() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    return ImmutableList.of(
        Movement.slice(
            (Literal) operands.get(0),
            ((Literal) operands.get(1)).toLongs(),
            ((Literal) operands.get(2)).toLongs(),
            ((Literal) operands.get(3)).toLongs()));
  }
}
