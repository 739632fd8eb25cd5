package dev.lockstep.hlo.op.elementwise;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.next_after}: next representable number in the direction of the right operand. */
public final class NextAfter {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.next_after")
          .summary("Next representable number in the direction of the right operand")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT.plain().orUnranked(), TypeClass.FLOAT.plain().orUnranked())
          .gives(TypeClass.FLOAT.plain().orUnranked())
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .local(
              (operation, operands) ->
                  ImmutableList.of(
                      Precision.nextAfter((Literal) operands.get(0), (Literal) operands.get(1))))
          .build();

  private NextAfter() {}
}
