package dev.lockstep.hlo.op.elementwise;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.type.TensorType;

/** {@code stochastic-convert}: converts with rounding by random bits. */
public final class StochasticConvert {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.stochastic_convert")
          .hlo("stochastic-convert")
          .summary("Converts with rounding by random bits")
          .trait(Trait.ELEMENTWISE)
          .local(StochasticConvert::eval)
          .build();

  private StochasticConvert() {}

  /**
   * Rounds away from zero where the fraction, as a fixed-point number of the random number's width,
   * is above it; as XLA's evaluator does, which also knows integer results only.
   */
  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = (Literal) operands.get(0);
    Literal random = (Literal) operands.get(1);
    TensorType type = (TensorType) operation.result().type();
    checkArgument(
        operand.element().isFloat()
            && type.element().isInteger()
            && !type.element().isUnsigned()
            && random.element().isUnsigned(),
        "only floats are rounded to signed integers, by unsigned ones");
    int bits = type.element().bits();
    long most = bits == 64 ? Long.MAX_VALUE : (1L << (bits - 1)) - 1;
    LiteralBuilder out = new LiteralBuilder(TensorType.of(type.element(), operand.dims()));
    for (int i = 0; i < operand.count(); i++) {
      double number = operand.getDouble(i);
      if (Double.isNaN(number)) {
        out.setLong(i, 0);
      } else if (number >= most || number <= -1.0 - most) {
        out.setLong(i, number > 0 ? most : -most - 1);
      } else {
        double size = Math.abs(number);
        long whole = (long) size;
        double fraction = Math.scalb(size - whole, random.element().bits());
        double drawn =
            random.element().bits() == 64
                ? (random.getLong(i) >>> 1) * 2.0
                : (double) random.getLong(i);
        long rounded = drawn < fraction ? whole + 1 : whole;
        out.setLong(i, number < 0 ? -rounded : rounded);
      }
    }
    return ImmutableList.of(out.build());
  }
}
