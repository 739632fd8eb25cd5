package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.broadcast}: repeats the operand along new leading dimensions. */
public final class Broadcast {
  /** Sizes of the new leading dimensions. */
  public static final AttrKey<ImmutableLongArray> SIZES = AttrKeys.longs("broadcast_sizes", "");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.broadcast")
          .summary("Repeats the operand along new leading dimensions")
          .attributes(SIZES)
          .takes(TypeClass.TENSOR)
          .gives(TypeClass.TENSOR.orPerAxis())
          .constraint(
              "C1",
              "operand and result have elements of one type",
              TensorRule.of(ShapeRules::oneElement))
          .constraint(
              "C2",
              "no size is negative",
              TensorRule.of(
                  it ->
                      it.require(
                          SIZES.get(it.operation()).stream().allMatch(size -> size >= 0),
                          "sizes %s must not be negative",
                          SIZES.get(it.operation()))))
          .constraint(
              "C3",
              "the result has the sizes and those of the operand",
              TensorRule.of(
                  it ->
                      ShapeRules.result(
                          it,
                          ImmutableLongArray.builder()
                              .addAll(SIZES.get(it.operation()))
                              .addAll(it.operand(0).dims())
                              .build()
                              .toArray())))
          .local(Broadcast::eval)
          .build();

  private Broadcast() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = (Literal) operands.get(0);
    ImmutableLongArray sizes = SIZES.get(operation);
    ImmutableLongArray.Builder places = ImmutableLongArray.builder();
    for (int d = 0; d < operand.type().rank(); d++) {
      places.add(sizes.length() + d);
    }
    ImmutableLongArray dims =
        ImmutableLongArray.builder().addAll(sizes).addAll(operand.dims()).build();
    return ImmutableList.of(Movement.broadcast(operand, dims, places.build()));
  }
}
