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
import dev.lockstep.hlo.type.TensorType;

/**
 * {@code stablehlo.broadcast_in_dim}, {@code broadcast} in HLO: repeats the operand along new and
 * unit dimensions.
 */
public final class BroadcastInDim {
  /** The dimension of the result for each dimension of the operand. */
  public static final AttrKey<ImmutableLongArray> DIMENSIONS =
      AttrKeys.longs("broadcast_dimensions", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.broadcast_in_dim")
          .hlo("broadcast")
          .summary("Repeats the operand along new and unit dimensions")
          .attributes(DIMENSIONS)
          .takes(TypeClass.TENSOR.orPerAxis())
          .gives(TypeClass.TENSOR.orPerAxis())
          .constraint(
              "results",
              "sizes of the result are known",
              TensorRule.of(ShapeRules::staticOrBounded))
          .constraint(
              "C1", "operand and result have elements of one type", TensorRule.sameElement(1))
          .constraint(
              "C2",
              "there is a dimension of the result for each of the operand",
              TensorRule.of(
                  it ->
                      it.require(
                          places(it).length() == it.operand(0).rank(),
                          "%s dimensions for an operand of rank %s",
                          places(it).length(),
                          it.operand(0).rank())))
          .constraint(
              "C3",
              "the dimensions are those of the result",
              TensorRule.of(it -> ShapeRules.dimensions(it, places(it), it.result().rank())))
          .constraint(
              "C4",
              "the dimensions are unique",
              TensorRule.of(it -> ShapeRules.unique(it, places(it))))
          .constraint(
              "C5",
              "sizes of the operand are one or those of the result",
              TensorRule.of(BroadcastInDim::checkSizes))
          .local(BroadcastInDim::eval)
          .build();

  private BroadcastInDim() {}

  private static ImmutableLongArray places(TensorRule.Case it) {
    return DIMENSIONS.getOr(it.operation(), ImmutableLongArray.of());
  }

  private static void checkSizes(TensorRule.Case it) {
    ImmutableLongArray places = places(it);
    if (places.length() != it.operand(0).rank() || !ShapeRules.within(places, it.result().rank())) {
      return;
    }
    for (int d = 0; d < places.length(); d++) {
      long size = it.operand(0).dim(d);
      long wanted = it.result().dim((int) places.get(d));
      it.require(
          size == 1 || TensorRule.agree(size, wanted),
          "dimension %s of the operand has size %s, dimension %s of the result %s",
          d,
          size,
          places.get(d),
          wanted);
    }
  }

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    TensorType type = (TensorType) operation.result().type();
    ImmutableLongArray places = DIMENSIONS.getOr(operation, ImmutableLongArray.of());
    return ImmutableList.of(Movement.broadcast((Literal) operands.get(0), type.dims(), places));
  }
}
