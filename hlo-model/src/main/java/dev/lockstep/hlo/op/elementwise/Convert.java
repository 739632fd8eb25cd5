package dev.lockstep.hlo.op.elementwise;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.type.TensorType;

/** {@code stablehlo.convert}: converts to another element type. */
public final class Convert {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.convert")
          .hlo("convert")
          .summary("Converts to another element type")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.TENSOR.plain())
          .gives(TypeClass.TENSOR.plain())
          .constraint("C1", "operand and result have one shape", TensorRule.sameShape())
          .local(
              (operation, operands) ->
                  ImmutableList.of(
                      Conversion.convert(
                          (Literal) operands.get(0),
                          ((TensorType) operation.result().type()).element())))
          .build();

  private Convert() {}
}
