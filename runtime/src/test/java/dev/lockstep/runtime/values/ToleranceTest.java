package dev.lockstep.runtime.values;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import org.junit.jupiter.api.Test;

final class ToleranceTest {
  private static Literal floats(float... values) {
    return Literal.of(TensorType.of(ElementType.F32, values.length), values);
  }

  @Test
  void firstDifference_specialNumbers_equalOnlyThemselves() {
    Tolerance tolerance = Tolerance.defaultFor(ElementType.F32);
    float infinity = Float.POSITIVE_INFINITY;

    assertThat(
            tolerance.firstDifference(
                floats(Float.NaN, infinity, 1), floats(Float.NaN, infinity, 1.000001f)))
        .isEmpty();
    assertThat(tolerance.firstDifference(floats(0, infinity), floats(0, 1))).hasValue(1);
    assertThat(tolerance.firstDifference(floats(Float.NaN), floats(0))).hasValue(0);
    assertThat(tolerance.firstDifference(floats(1), floats(infinity))).hasValue(0);
  }

  @Test
  void firstDifference_integers_areExact() {
    Tolerance loose = new Tolerance(1, 1);

    assertThat(
            loose.firstDifference(
                Literal.ofLongs(Long.MAX_VALUE), Literal.ofLongs(Long.MAX_VALUE - 1)))
        .hasValue(0);
  }
}
