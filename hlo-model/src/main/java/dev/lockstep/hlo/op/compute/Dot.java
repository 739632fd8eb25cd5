package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Products;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.type.TensorType;

/** {@code stablehlo.dot}. */
public final class Dot {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dot")
          .summary("Multiplies vectors and matrices")
          .inherent("precision_config")
          .takes(TypeClass.TENSOR, TypeClass.TENSOR.orPerAxis())
          .gives(TypeClass.TENSOR.orPerAxis())
          .constraint("C1", "there is a precision for each operand", DimensionRules.precisions())
          .constraint("C2", "vectors and matrices fit", TensorRule.of(Dot::checkShapes))
          .local(Dot::eval)
          .build();

  private Dot() {}

  private static void checkShapes(TensorRule.Case it) {
    TensorType left = it.operand(0);
    TensorType right = it.operand(1);
    boolean fits =
        left.rank() >= 1
            && left.rank() <= 2
            && right.rank() >= 1
            && right.rank() <= 2
            && TensorRule.agree(left.dim(left.rank() - 1), right.dim(0));
    if (!it.require(fits, "%s and %s are no vectors or matrices that fit", left, right)) {
      return;
    }
    ImmutableLongArray.Builder dims = ImmutableLongArray.builder();
    if (left.rank() == 2) {
      dims.add(left.dim(0));
    }
    if (right.rank() == 2) {
      dims.add(right.dim(1));
    }
    DimensionRules.requireResult(it, 0, dims.build());
  }

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
