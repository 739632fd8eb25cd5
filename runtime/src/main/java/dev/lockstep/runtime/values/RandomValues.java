package dev.lockstep.runtime.values;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.TensorType;
import java.util.SplittableRandom;

/** Arguments that nobody gave: the same for the same seed, argument and device everywhere. */
public final class RandomValues {
  private RandomValues() {}

  /**
   * Returns a value of {@code type}: floats and both parts of complex numbers within [-1, 1),
   * integers within [0, 8), so that they may serve as indices and sums stay exact.
   */
  public static Literal of(TensorType type, long seed, int argument, int device) {
    if (!type.isStatic()) {
      throw DiagnosticException.error(
          "unsupported-argument",
          "no sizes are known for a random argument of type " + type + "; give it in a file",
          Location.UNKNOWN);
    }
    SplittableRandom random =
        new SplittableRandom(seed * 0x9E3779B97F4A7C15L + ((long) argument << 32) + device);
    LiteralBuilder out = new LiteralBuilder(type);
    int count = (int) type.count();
    int bound = type.element().bits() < 4 ? 2 : 8;
    for (int i = 0; i < count; i++) {
      switch (type.element().kind()) {
        case BOOL -> out.setBoolean(i, random.nextBoolean());
        case SIGNED, UNSIGNED -> out.setLong(i, random.nextInt(bound));
        case FLOAT -> out.setDouble(i, random.nextDouble() * 2 - 1);
        case COMPLEX -> out.setComplex(i, random.nextDouble() * 2 - 1, random.nextDouble() * 2 - 1);
      }
    }
    return out.build();
  }
}
