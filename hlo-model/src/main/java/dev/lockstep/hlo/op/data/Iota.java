package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.type.TensorType;

/** {@code stablehlo.iota}: numbers from zero along a dimension. */
public final class Iota {
  /** The dimension along which the numbers grow. */
  public static final AttrKey<Long> DIMENSION =
      AttrKeys.integer("iota_dimension", "iota_dimension");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.iota")
          .hlo("iota")
          .summary("Numbers from zero along a dimension")
          .attributes(DIMENSION)
          .trait(Trait.CONSTANT)
          .constraint(
              "C1",
              "the dimension is one of the result",
              TensorRule.of(
                  it ->
                      ShapeRules.dimension(it, DIMENSION.get(it.operation()), it.result().rank())))
          .local(
              (operation, operands) ->
                  ImmutableList.of(
                      numbers(
                          (TensorType) operation.result().type(),
                          Math.toIntExact(DIMENSION.get(operation)))))
          .build();

  private Iota() {}

  /** Returns a literal of {@code type} whose elements are their index in {@code dimension}. */
  static Literal numbers(TensorType type, int dimension) {
    LiteralBuilder out = new LiteralBuilder(type);
    long size = type.dim(dimension);
    long run = Movement.strides(type.dims())[dimension];
    int at = 0;
    int count = Math.toIntExact(type.count());
    while (at < count) {
      for (long value = 0; value < size; value++) {
        for (long i = 0; i < run; i++) {
          out.setLong(at++, value);
        }
      }
    }
    return out.build();
  }
}
