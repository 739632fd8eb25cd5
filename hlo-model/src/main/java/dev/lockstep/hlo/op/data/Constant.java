package dev.lockstep.hlo.op.data;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.constant}: constant. */
public final class Constant {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.constant")
          .hlo("constant")
          .summary("Constant")
          .form(MlirForm.CONSTANT)
          .inherent("value")
          .trait(Trait.CONSTANT)
          .local(Constant::eval)
          .build();

  private Constant() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Attribute value = operation.attribute("value");
    checkArgument(value instanceof Attribute.Dense, "the value of the constant is not known");
    return ImmutableList.of(((Attribute.Dense) value).literal());
  }
}
