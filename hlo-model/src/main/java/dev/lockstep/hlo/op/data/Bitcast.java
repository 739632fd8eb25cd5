package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.type.Layout;
import dev.lockstep.hlo.type.TensorType;

/** {@code bitcast}: same memory under another shape and layout. */
public final class Bitcast {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.bitcast")
          .hlo("bitcast")
          .summary("Same memory under another shape and layout")
          .constraint(
              "C1",
              "operand and result have as many bits",
              TensorRule.of(
                  it ->
                      it.require(
                          !it.operand(0).isStatic()
                              || !it.result().isStatic()
                              || isTiled(it.operand(0))
                              || isTiled(it.result())
                              || ShapeRules.bits(it.operand(0)) == ShapeRules.bits(it.result()),
                          "%s and %s differ in their number of bits",
                          it.operand(0),
                          it.result())))
          .local(Bitcast::eval)
          .build();

  private Bitcast() {}

  /** Returns whether the layout pads, so that memory holds more than the elements. */
  private static boolean isTiled(TensorType type) {
    Layout layout = type.layout();
    return layout != null && layout.extras().contains("T(");
  }

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = (Literal) operands.get(0);
    TensorType from = (TensorType) operation.operand(0).type();
    TensorType to = (TensorType) operation.result().type();
    ImmutableLongArray fromOrder = majorToMinor(from);
    ImmutableLongArray toOrder = majorToMinor(to);
    // In memory the elements stand in the order of the operand's layout; the result reads them in
    // the order of its own.
    Literal memory = Movement.transpose(operand, fromOrder);
    ImmutableLongArray.Builder stored = ImmutableLongArray.builder();
    long[] inverse = new long[toOrder.length()];
    for (int i = 0; i < inverse.length; i++) {
      stored.add(to.dim((int) toOrder.get(i)));
      inverse[(int) toOrder.get(i)] = i;
    }
    Literal typed = BitcastConvert.convert(memory, TensorType.of(to.element(), stored.build()));
    return ImmutableList.of(Movement.transpose(typed, ImmutableLongArray.copyOf(inverse)));
  }

  private static ImmutableLongArray majorToMinor(TensorType type) {
    Layout layout = type.layout();
    ImmutableLongArray.Builder out = ImmutableLongArray.builder();
    for (int i = 0; i < type.rank(); i++) {
      out.add(
          layout != null && layout.minorToMajor().length() == type.rank()
              ? layout.minorToMajor().get(type.rank() - 1 - i)
              : i);
    }
    return out.build();
  }
}
