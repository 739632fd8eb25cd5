package dev.lockstep.hlo.op.data;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/** {@code chlo.constant_like}: constant of the shape of the operand. */
public final class ConstantLike {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.constant_like")
          .summary("Constant of the shape of the operand")
          .inherent("value")
          .takes(TypeClass.TENSOR.orPerAxis().orUnranked())
          .gives(TypeClass.TENSOR.orPerAxis().orUnranked())
          .constraint("C1", "operand and result have one shape", TensorRule.sameShape())
          .constraint(
              "C2", "the value has the type of the result", TensorRule.of(ConstantLike::checkValue))
          .local(ConstantLike::eval)
          .build();

  private ConstantLike() {}

  private static void checkValue(TensorRule.Case it) {
    Attribute value = it.operation().attribute("value");
    ElementType given =
        value instanceof Attribute.Int
            ? ((Attribute.Int) value).type()
            : value instanceof Attribute.Real ? ((Attribute.Real) value).type() : null;
    if (given == null) {
      return;
    }
    it.require(
        given == it.result().element(),
        "the value has type %s but elements of the result have type %s",
        given,
        it.result().element());
  }

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Attribute value = operation.attribute("value");
    TensorType type =
        TensorType.of(
            ((TensorType) operation.result().type()).element(), ((Literal) operands.get(0)).dims());
    if (value instanceof Attribute.Int number) {
      return ImmutableList.of(Literal.splatOf(type, number.value()));
    }
    checkArgument(value instanceof Attribute.Real, "constant_like needs a number");
    return ImmutableList.of(Literal.splatOf(type, ((Attribute.Real) value).value()));
  }
}
