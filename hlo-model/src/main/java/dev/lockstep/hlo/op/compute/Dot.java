package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.kernel.Products;
import dev.lockstep.hlo.op.kernel.Results;

/** {@code stablehlo.dot}. */
public final class Dot {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dot")
          .summary("Multiplies vectors and matrices")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("precision_config")
          .keyword("precision_config", "precision")
          .local(Dot::eval)
          .build();

  private Dot() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal lhs = Results.literal(operation, operands, 0);
    Literal rhs = Results.literal(operation, operands, 1);
    ImmutableLongArray none = ImmutableLongArray.of();
    Products.Dimensions dimensions =
        new Products.Dimensions(
            none, none, ImmutableLongArray.of(lhs.type().rank() - 1), ImmutableLongArray.of(0));
    return ImmutableList.of(
        Products.multiply(lhs, rhs, dimensions, Results.tensor(operation, 0).element()));
  }
}
