package dev.lockstep.hlo.op.kernel;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/**
 * Numbers for ops that name no state: the same in every run, others on every device and at every
 * draw. They are not the numbers of XLA, which seeds such ops anew in every process.
 */
public final class RandomNumbers {
  private static final double TO_UNIT = 0x1.0p-53;

  private RandomNumbers() {}

  private static long[] draw(GeneratorState state, int count) {
    long[] counter = state.next((count + 1) / 2);
    return RandomBits.philox(new long[] {state.device(), counter[0], counter[1]}, count, 64)
        .words();
  }

  /** Returns numbers from {@code low} to before {@code high}, which are scalars of its type. */
  public static Literal uniform(TensorType type, Literal low, Literal high, GeneratorState state) {
    LiteralBuilder out = new LiteralBuilder(type);
    long[] bits = draw(state, Math.toIntExact(type.count()));
    ElementType element = type.element();
    for (int i = 0; i < bits.length; i++) {
      if (element.isFloat()) {
        double unit = (bits[i] >>> 11) * TO_UNIT;
        double from = low.getDouble(0);
        double number = from + unit * (high.getDouble(0) - from);
        out.setDouble(i, number);
      } else if (element.isBool()) {
        out.setBoolean(i, (bits[i] & 1) != 0);
      } else {
        long span = high.getLong(0) - low.getLong(0);
        out.setLong(i, low.getLong(0) + (span == 0 ? 0 : Long.remainderUnsigned(bits[i], span)));
      }
    }
    return out.build();
  }

  /** Returns normally distributed numbers of the given mean and deviation, scalars. */
  public static Literal normal(
      TensorType type, Literal mean, Literal deviation, GeneratorState state) {
    LiteralBuilder out = new LiteralBuilder(type);
    int count = Math.toIntExact(type.count());
    long[] bits = draw(state, 2 * count);
    for (int i = 0; i < count; i++) {
      // Box and Muller; the first number is above zero, so that its logarithm is finite.
      double radius = Math.sqrt(-2 * Math.log(((bits[2 * i] >>> 11) + 1) * TO_UNIT));
      double angle = 2 * Math.PI * (bits[2 * i + 1] >>> 11) * TO_UNIT;
      out.setDouble(i, mean.getDouble(0) + deviation.getDouble(0) * radius * Math.cos(angle));
    }
    return out.build();
  }
}
