package dev.lockstep.hlo.op.elementwise;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.select}: picks from two operands by a predicate. */
public final class Select {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.select")
          .hlo("select")
          .summary("Picks from two operands by a predicate")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.PRED, TypeClass.TENSOR, TypeClass.TENSOR)
          .gives(TypeClass.TENSOR)
          .constraint(
              "C1",
              "the predicate is a scalar or has the shape of the others",
              ElementRules.scalarOrShape(0, "the predicate", "the others"))
          .constraint(
              "C2",
              "both choices and the result have one type",
              TensorRule.of(
                  it ->
                      it.require(
                          it.agree(it.operand(1), it.operand(2))
                              && it.agree(it.operand(1), it.result()),
                          "the choices have types %s and %s, the result %s",
                          it.operand(1),
                          it.operand(2),
                          it.result())))
          .local(Select::eval)
          .build();

  private Select() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal predicate = (Literal) operands.get(0);
    Literal onTrue = (Literal) operands.get(1);
    Literal onFalse = (Literal) operands.get(2);
    if (predicate.isSplat() || predicate.count() == 1) {
      return ImmutableList.of(predicate.count() > 0 && predicate.getBoolean(0) ? onTrue : onFalse);
    }
    LiteralBuilder out = new LiteralBuilder(onTrue.type());
    byte[] bits = (byte[]) predicate.rawStorage();
    for (int i = 0; i < bits.length; i++) {
      out.copy(i, bits[i] != 0 ? onTrue : onFalse, i);
    }
    return ImmutableList.of(out.build());
  }
}
