package dev.lockstep.hlo.op.elementwise;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.type.ElementType;

/** {@code stablehlo.compare}: compares elements. */
public final class Compare {
  /** {@code EQ}, {@code NE}, {@code GE}, {@code GT}, {@code LE} or {@code LT}. */
  public static final AttrKey<String> DIRECTION =
      AttrKeys.word("comparison_direction", "direction");

  /** {@code FLOAT}, {@code TOTALORDER}, {@code SIGNED} or {@code UNSIGNED}. */
  public static final AttrKey<String> TYPE = AttrKeys.word("compare_type", "type");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.compare")
          .hlo("compare")
          .summary("Compares elements")
          .trait(Trait.ELEMENTWISE)
          .attributes(DIRECTION, TYPE)
          .takes(TypeClass.TENSOR, TypeClass.TENSOR)
          .gives(TypeClass.PRED)
          .constraint(
              "C1",
              "operands have elements of one type",
              TensorRule.of(
                  it ->
                      it.require(
                          it.sameElements(it.operand(0), it.operand(1)),
                          "operands have elements of types %s and %s",
                          it.operand(0).element(),
                          it.operand(1).element())))
          .constraint("C2", "operands and result have one shape", TensorRule.sameShape())
          .constraint(
              "C3", "the comparison type fits the elements", TensorRule.of(Compare::checkType))
          .local(
              (operation, operands) ->
                  ImmutableList.of(
                      Comparison.compare(
                          DIRECTION.get(operation),
                          "TOTALORDER".equals(TYPE.find(operation)),
                          (Literal) operands.get(0),
                          (Literal) operands.get(1))))
          .build();

  private Compare() {}

  private static void checkType(TensorRule.Case it) {
    String type = TYPE.find(it.operation());
    if (type == null) {
      return;
    }
    ElementType element = it.operand(0).element();
    boolean fits =
        switch (type) {
          case "SIGNED" -> element.kind() == ElementType.Kind.SIGNED;
          case "UNSIGNED" -> element.isUnsigned() || element.isBool();
          case "FLOAT" -> element.isFloat() || element.isComplex();
          case "TOTALORDER" -> element.isFloat();
          default -> type.equals("NOTYPE");
        };
    if (!fits) {
      // jaxlib's verifier accepts it and compares as the elements want.
      it.sink()
          .warning(
              it.code(),
              "comparison type " + type + " does not fit elements of type " + element,
              it.operation().location());
    }
  }
}
