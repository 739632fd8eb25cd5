package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Surroundings;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
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
          .gives(TypeClass.TENSOR.orPerAxis())
          .constraint(
              "C1",
              "operand and result have elements of one type",
              TensorRule.of(ShapeRules::oneElement))
          .constraint(
              "C2",
              "operand and result have as many elements",
              TensorRule.of(DynamicReshape::checkCount))
          .constraint("C4", "the result has the sizes", TensorRule.of(DynamicReshape::checkSizes))
          .moduleConstraint("I2", "sizes are a vector", DynamicReshape::checkVector)
          .local(DynamicReshape::eval)
          .build();

  private DynamicReshape() {}

  private static void checkCount(TensorRule.Case it) {
    ImmutableLongArray sizes = it.isHlo() || it.operands() != 2 ? null : it.constant(1);
    if (!it.operand(0).isStatic()) {
      return;
    }
    long count = it.operand(0).count();
    it.require(
        !it.result().isStatic() || count == it.result().count(),
        "%s and %s differ in their number of elements",
        it.operand(0),
        it.result());
    if (sizes == null) {
      return;
    }
    it.require(
        sizes.stream().anyMatch(size -> size < 0)
            || count == TensorType.of(it.result().element(), sizes).count(),
        "%s has not the number of elements of sizes %s",
        it.operand(0),
        sizes);
  }

  private static void checkSizes(TensorRule.Case it) {
    if (!it.isHlo() && it.operands() == 2) {
      ShapeRules.shapeOperand(it, 1);
    }
  }

  /** HLO gives the sizes as several scalars. */
  private static void checkVector(
      Operation operation, Surroundings around, String code, DiagnosticSink sink) {
    if (!around.isHlo()
        && (operation.operands().size() != 2
            || !TypeClass.TENSOR.orPerAxis().admits(operation.operand(0).type())
            || !TypeClass.SIZES.admits(operation.operand(1).type()))) {
      sink.error(
          code,
          "dynamic_reshape takes a tensor and a static vector of sizes, not "
              + operation.operandTypes(),
          operation.location());
    }
  }

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = (Literal) operands.get(0);
    ImmutableLongArray dims = DataKeys.numbers(operands.subList(1, operands.size()));
    return ImmutableList.of(operand.reshaped(TensorType.of(operand.element(), dims)));
  }
}
