package dev.lockstep.hlo.op.data;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.type.TensorType;

/** {@code stablehlo.constant}: constant. */
public final class Constant {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.constant")
          .hlo("constant")
          .summary("Constant")
          .inherent("value")
          .trait(Trait.CONSTANT)
          .constraint("C1", "the value has the type of the result", Constant::check)
          .local(Constant::eval)
          .build();

  private Constant() {}

  private static void check(Operation operation, String code, DiagnosticSink sink) {
    Attribute value = operation.attribute("value");
    if (value instanceof Attribute.Dense
        && operation.results().size() == 1
        && operation.result().type() instanceof TensorType type
        && !((Attribute.Dense) value).literal().type().isSameShape(type)) {
      sink.error(
          code,
          "the value has type "
              + ((Attribute.Dense) value).literal().type()
              + " but the result has type "
              + type,
          operation.location());
    }
  }

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Attribute value = operation.attribute("value");
    checkArgument(value instanceof Attribute.Dense, "the value of the constant is not known");
    return ImmutableList.of(((Attribute.Dense) value).literal());
  }
}
