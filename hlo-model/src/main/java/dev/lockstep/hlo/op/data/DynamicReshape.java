package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.type.TensorType;

/**
 * {@code stablehlo.dynamic_reshape}, {@code dynamic-reshape} in HLO: same elements under a shape
 * given at run time.
 */
public final class DynamicReshape {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_reshape")
          .hlo("dynamic-reshape")
          .summary("Same elements under a shape given at run time")
          .form(MlirForm.FUNCTION_TYPE)
          .local(DynamicReshape::eval)
          .build();

  private DynamicReshape() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = (Literal) operands.get(0);
    ImmutableLongArray dims = DataKeys.numbers(operands.subList(1, operands.size()));
    return ImmutableList.of(operand.reshaped(TensorType.of(operand.element(), dims)));
  }
}
