package dev.lockstep.golden.run;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.TensorType;
import java.util.SplittableRandom;

/**
 * Arguments of golden cases. Floats are small integers, so that sums are exact in any order, with
 * some NaN and -0.0 among them, which no rewrite may leak, lose or make; integers are within [0,
 * 8), so that they may serve as indices.
 */
public final class GoldenInputs {
  private GoldenInputs() {}

  /** Returns argument {@code index} on {@code device}. */
  public static Literal of(TensorType type, long seed, int index, int device) {
    SplittableRandom random =
        new SplittableRandom(seed * 0x9E3779B97F4A7C15L + ((long) index << 32) + device);
    LiteralBuilder out = new LiteralBuilder(type);
    int bound = type.element().bits() < 4 ? 2 : 8;
    for (int i = 0; i < type.count(); i++) {
      switch (type.element().kind()) {
        case BOOL -> out.setBoolean(i, random.nextBoolean());
        case SIGNED, UNSIGNED -> out.setLong(i, random.nextInt(bound));
        case FLOAT -> out.setDouble(i, floating(random));
        case COMPLEX -> out.setComplex(i, random.nextInt(-4, 5), random.nextInt(-4, 5));
      }
    }
    return out.build();
  }

  private static double floating(SplittableRandom random) {
    return switch (random.nextInt(16)) {
      case 0 -> -0.0;
      case 1 -> Double.NaN;
      default -> random.nextInt(-4, 5);
    };
  }
}
