package dev.lockstep.hlo.op.elementwise;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.abs}: absolute value; the real magnitude of a complex number. */
public final class Abs {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.abs")
          .hlo("abs")
          .summary("Absolute value; the real magnitude of a complex number")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.SIGNED_NUMBER)
          .gives(TypeClass.INT_OR_FLOAT.orQuantized())
          .constraint("C1", "operand and result have one shape", TensorRule.sameShape())
          .constraint(
              "C2",
              "the result has the operand's elements, or their real part",
              ElementRules.realPart())
          .local(Abs::eval)
          .build();

  private Abs() {}

  private static final UnaryKernel SAME_TYPE =
      UnaryKernel.named("abs")
          .onSigned((a, bits) -> Math.abs(a))
          .onUnsigned((a, bits) -> a)
          .onReal(Math::abs);

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = (Literal) operands.get(0);
    return ImmutableList.of(
        operand.element().isComplex()
            ? ElementMap.map(
                operand,
                operand.element().realPart(),
                (in, out, i) -> out.setDouble(i, Math.hypot(in.getDouble(i), in.getImaginary(i))))
            : SAME_TYPE.apply(operand));
  }
}
