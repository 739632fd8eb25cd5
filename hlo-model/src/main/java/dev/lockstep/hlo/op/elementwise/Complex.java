package dev.lockstep.hlo.op.elementwise;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/** {@code stablehlo.complex}: complex numbers from real and imaginary parts. */
public final class Complex {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.complex")
          .hlo("complex")
          .summary("Complex numbers from real and imaginary parts")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT.plain(), TypeClass.FLOAT.plain())
          .gives(TypeClass.COMPLEX)
          .constraint(
              "C1",
              "operands have one type",
              TensorRule.of(
                  it ->
                      it.require(
                          it.agree(it.operand(0), it.operand(1)),
                          "operands have types %s and %s",
                          it.operand(0),
                          it.operand(1))))
          .constraint("C2", "operands and result have one shape", TensorRule.sameShape())
          .constraint(
              "C3",
              "the result is complex over the operands' elements",
              TensorRule.of(
                  it ->
                      it.require(
                          it.result().element() == it.operand(0).element().complexOf(),
                          "the result has elements of type %s over parts of type %s",
                          it.result().element(),
                          it.operand(0).element())))
          .local(
              (operation, operands) ->
                  ImmutableList.of(join((Literal) operands.get(0), (Literal) operands.get(1))))
          .build();

  private Complex() {}

  private static Literal join(Literal real, Literal imaginary) {
    ElementType element = real.element().complexOf();
    checkArgument(element != null, "no complex type over %s", real.element());
    LiteralBuilder out = new LiteralBuilder(TensorType.of(element, real.dims()));
    for (int i = 0; i < real.count(); i++) {
      out.setComplex(i, real.getDouble(i), imaginary.getDouble(i));
    }
    return out.build();
  }
}
