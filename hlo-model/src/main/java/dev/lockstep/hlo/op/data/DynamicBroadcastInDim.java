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

/**
 * {@code stablehlo.dynamic_broadcast_in_dim}: repeats the operand along dimensions of a shape given
 * at run time.
 */
public final class DynamicBroadcastInDim {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_broadcast_in_dim")
          .summary("Repeats the operand along dimensions of a shape given at run time")
          .attributes(BroadcastInDim.DIMENSIONS)
          .inherent("known_expanding_dimensions", "known_nonexpanding_dimensions")
          .takes(TypeClass.TENSOR.orPerAxis(), TypeClass.SIZES)
          .gives(TypeClass.TENSOR.orPerAxis())
          .constraint(
              "C1",
              "operand and result have elements of one type",
              TensorRule.of(ShapeRules::oneElement))
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
              TensorRule.of(DynamicBroadcastInDim::checkSizes))
          .moduleConstraint(
              "C7", "the result has the sizes", TensorRule.of(it -> ShapeRules.shapeOperand(it, 1)))
          .constraint(
              "C8",
              "no dimension is known twice",
              TensorRule.of(it -> ShapeRules.unique(it, known(it))))
          .constraint(
              "C9",
              "known dimensions are those of the operand",
              TensorRule.of(it -> ShapeRules.dimensions(it, known(it), it.operand(0).rank())))
          .local(DynamicBroadcastInDim::eval)
          .build();

  private static final AttrKey<ImmutableLongArray> EXPANDING =
      AttrKeys.longs("known_expanding_dimensions", "");

  private static final AttrKey<ImmutableLongArray> NONEXPANDING =
      AttrKeys.longs("known_nonexpanding_dimensions", "");

  private DynamicBroadcastInDim() {}

  private static ImmutableLongArray places(TensorRule.Case it) {
    return BroadcastInDim.DIMENSIONS.get(it.operation());
  }

  private static ImmutableLongArray known(TensorRule.Case it) {
    ImmutableLongArray none = ImmutableLongArray.of();
    return ImmutableLongArray.builder()
        .addAll(EXPANDING.getOr(it.operation(), none))
        .addAll(NONEXPANDING.getOr(it.operation(), none))
        .build();
  }

  private static void checkSizes(TensorRule.Case it) {
    ImmutableLongArray sizes = it.constant(1);
    for (int d = 0; d < Math.min(places(it).length(), it.operand(0).rank()); d++) {
      long size = it.operand(0).dim(d);
      long at = places(it).get(d);
      if (at < 0 || at >= it.result().rank()) {
        return;
      }
      long wanted =
          sizes != null && at < sizes.length() ? sizes.get((int) at) : it.result().dim((int) at);
      it.require(
          size == 1 || TensorRule.agree(size, wanted),
          "dimension %d of %s does not fit size %d of the result",
          d,
          it.operand(0),
          wanted);
    }
  }

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    ImmutableLongArray dims = ImmutableLongArray.copyOf(((Literal) operands.get(1)).toLongs());
    return ImmutableList.of(
        Movement.broadcast(
            (Literal) operands.get(0), dims, BroadcastInDim.DIMENSIONS.get(operation)));
  }
}
