package dev.lockstep.hlo.op.elementwise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What XLA defines and Java does not do by itself; values from XLA's CPU backend. */
class KernelTest {
  private static Literal apply(OpDef def, Literal left, Literal right) {
    return ((BinaryKernel) def.semantics()).apply(left, right);
  }

  private static Literal apply(OpDef def, Literal operand) {
    return ((UnaryKernel) def.semantics()).apply(operand);
  }

  private static long ints(OpDef def, ElementType type, long left, long right) {
    return apply(def, Literal.scalar(type, left), Literal.scalar(type, right)).getLong(0);
  }

  @ParameterizedTest
  @CsvSource({
    "I8, 100, 100, -56",
    "UI8, 200, 100, 44",
    "I1, 1, 1, 1",
    "I4, 7, 1, -8",
  })
  void additionWraps(ElementType type, long left, long right, long sum) {
    assertThat(ints(Add.DEF, type, left, right)).isEqualTo(sum);
  }

  @ParameterizedTest
  @CsvSource({
    "I32, 7, 0, -1, 7",
    "UI32, 7, 0, 4294967295, 7",
    "I32, -2147483648, -1, -2147483648, 0",
    "I8, -128, -1, -128, 0",
    "I32, -7, 2, -3, -1",
    "UI64, -1, 2, 9223372036854775807, 1",
  })
  void divisionIsTotal(ElementType type, long left, long right, long quotient, long remainder) {
    assertThat(ints(Divide.DEF, type, left, right)).isEqualTo(quotient);
    assertThat(ints(Remainder.DEF, type, left, right)).isEqualTo(remainder);
  }

  @ParameterizedTest
  @CsvSource({
    "I8, -1, 7, -128, 1, -1",
    "I8, -1, 8, 0, 0, -1",
    "I8, 64, -1, 0, 0, 0",
    "UI8, 255, 4, 240, 15, 255",
    "I32, 1, 33, 0, 0, 0",
    "I64, -8, 1, -16, 9223372036854775804, -4",
  })
  void shiftsBeyondTheWidthPushAllBitsOut(
      ElementType type, long value, long by, long left, long logical, long arithmetic) {
    assertThat(ints(ShiftLeft.DEF, type, value, by)).isEqualTo(left);
    assertThat(ints(ShiftRightLogical.DEF, type, value, by)).isEqualTo(logical);
    assertThat(ints(ShiftRightArithmetic.DEF, type, value, by)).isEqualTo(arithmetic);
  }

  @ParameterizedTest
  @CsvSource({"I32, 2, -1, 0", "I32, -1, -3, -1", "I32, 3, 4, 81", "UI8, 2, 8, 0"})
  void integerPowers(ElementType type, long base, long exponent, long power) {
    assertThat(ints(Power.DEF, type, base, exponent)).isEqualTo(power);
  }

  @Test
  void realPowersFollowC() {
    assertThat(Reals.power(1, Double.NaN)).isEqualTo(1);
    assertThat(Reals.power(-1, Double.POSITIVE_INFINITY)).isEqualTo(1);
    assertThat(Reals.power(Double.NaN, 0)).isEqualTo(1);
  }

  @Test
  void minimumAndMaximumLetNanWin() {
    Literal nan = Literal.scalar(ElementType.F32, Double.NaN);
    Literal one = Literal.scalar(ElementType.F32, 1.0);
    assertThat(apply(Maximum.DEF, nan, one).getDouble(0)).isNaN();
    assertThat(apply(Minimum.DEF, one, nan).getDouble(0)).isNaN();
  }

  @Test
  void narrowFloatsAreRoundedOnce() {
    Literal a = Literal.scalar(ElementType.BF16, 256.0);
    Literal b = Literal.scalar(ElementType.BF16, 1.0);
    assertThat(apply(Add.DEF, a, b).getDouble(0)).isEqualTo(256);
    Literal c = Literal.scalar(ElementType.BF16, 3.0);
    assertThat(apply(Add.DEF, a, c).getDouble(0)).isEqualTo(260);
  }

  @Test
  void splatsStaySplats() {
    Literal a = Literal.splatOf(TensorType.of(ElementType.F32, 1000, 1000), 2.0);
    Literal sum = apply(Add.DEF, a, a);
    assertThat(sum.isSplat()).isTrue();
    assertThat(sum.getDouble(999_999)).isEqualTo(4);
    assertThat(apply(Negate.DEF, a).isSplat()).isTrue();
  }

  @Test
  void splatAndDenseMix() {
    Literal dense = Literal.ofLongs(1, 2, 3);
    Literal splat = Literal.splatOf(dense.type(), 10);
    assertThat(apply(Subtract.DEF, dense, splat).toLongs()).containsExactly(-9, -8, -7);
    assertThat(apply(Subtract.DEF, splat, dense).toLongs()).containsExactly(9, 8, 7);
  }

  @Test
  void undefinedTypesAreNamed() {
    Literal value = Literal.scalar(ElementType.F32, 1.0);
    assertThatThrownBy(() -> apply(And.DEF, value, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("and is not defined on f32");
  }

  @ParameterizedTest
  @CsvSource({"0.49999997, 0", "2.5, 3", "-2.5, -3", "-0.2, -0.0", "1e30, 1e30"})
  void roundsTiesAwayFromZero(float value, double rounded) {
    assertThat(Reals.roundAwayFromZero(value))
        .isEqualTo(rounded == 1e30 ? (double) value : rounded);
  }

  @ParameterizedTest
  @CsvSource({
    "F32, I32, 3e9, 2147483647",
    "F32, I32, NaN, 0",
    "F32, I8, -300, -128",
    "F64, UI8, -1, 0",
    "F64, UI64, 1.8446744073709552e19, -1",
    "F32, I1, 0.25, 1",
    "F32, I32, -1.9, -1",
  })
  void floatsConvertWithSaturation(ElementType from, ElementType to, double value, long converted) {
    assertThat(Conversion.convert(Literal.scalar(from, value), to).getLong(0)).isEqualTo(converted);
  }

  @Test
  void integersConvertWithWrapping() {
    assertThat(Conversion.convert(Literal.scalar(ElementType.I32, 300), ElementType.I8).getLong(0))
        .isEqualTo(44);
    assertThat(
            Conversion.convert(Literal.scalar(ElementType.UI64, -1), ElementType.F64).getDouble(0))
        .isEqualTo(0x1p64);
  }

  @Test
  void totalOrderPutsNansAtTheEnds() {
    float[] values = {
      Float.intBitsToFloat(0xFFC00000), Float.NEGATIVE_INFINITY, -0f, 0f, 1f, Float.NaN
    };
    TensorType type = TensorType.of(ElementType.F32);
    for (int i = 0; i + 1 < values.length; i++) {
      Literal a = Literal.of(type, new float[] {values[i]});
      Literal b = Literal.of(type, new float[] {values[i + 1]});
      assertThat(Comparison.compare("LT", true, a, b).getBoolean(0)).isTrue();
      assertThat(Comparison.compare("GE", true, a, b).getBoolean(0)).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({"EQ, false", "NE, true", "LT, false", "LE, false", "GT, false", "GE, false"})
  void nanIsUnequalToEverything(String direction, boolean expected) {
    Literal nan = Literal.scalar(ElementType.F32, Double.NaN);
    assertThat(Comparison.compare(direction, false, nan, nan).getBoolean(0)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "1.1, 5, 2, 1.0",
    "100000, 5, 10, Infinity",
    "1e-6, 5, 10, 0",
    "-1e-6, 5, 10, -0.0",
    "1.125, 8, 2, 1.0",
    "1.375, 8, 2, 1.5",
  })
  void reducesPrecision(double value, int exponent, int mantissa, double expected) {
    Literal operand = Literal.scalar(ElementType.F32, value);
    assertThat(Precision.reduce(operand, exponent, mantissa).getDouble(0)).isEqualTo(expected);
  }

  @Test
  void nextAfterCrossesZero() {
    Literal zero = Literal.scalar(ElementType.F32, 0.0);
    Literal minus = Literal.scalar(ElementType.F32, -1.0);
    assertThat(Precision.nextAfter(zero, minus).getDouble(0)).isEqualTo(-Float.MIN_VALUE);
    assertThat(Precision.nextAfter(minus, zero).getDouble(0)).isEqualTo(Math.nextUp(-1f));
  }

  @Test
  void complexDivisionNeitherOverflowsNorVanishes() {
    double[] out = new double[2];
    Complexes.divide(1e300, 1e300, 1e300, 1e300, out);
    assertThat(out).containsExactly(1, 0);
    Complexes.divide(1e-300, 0, 1e-300, 0, out);
    assertThat(out).containsExactly(1, 0);
  }

  @Test
  void complexRootsTakeTheBranchOfSignedZero() {
    double[] out = new double[2];
    Complexes.sqrt(-4, 0.0, out);
    assertThat(out).containsExactly(0, 2);
    Complexes.sqrt(-4, -0.0, out);
    assertThat(out).containsExactly(0, -2);
  }

  @Test
  void complexLogarithmKeepsDigitsNearTheUnitCircle() {
    double[] out = new double[2];
    Complexes.logPlusOne(1e-20, 1e-10, out);
    assertThat(out[0]).isCloseTo(1.5e-20, within(1e-34));
  }

  @Test
  void specialFunctionsAtKnownPoints() {
    assertThat(Special.erf(0.5)).isCloseTo(0.5204998778130465, within(2e-16));
    assertThat(Special.erfc(3)).isCloseTo(2.209049699858544e-5, within(1e-20));
    assertThat(Special.erfInverse(Special.erf(0.75))).isCloseTo(0.75, within(1e-15));
    assertThat(Special.logGamma(5)).isCloseTo(Math.log(24), within(1e-14));
    assertThat(Special.logGamma(-0.5)).isCloseTo(1.2655121234846454, within(1e-14));
    assertThat(Special.digamma(1)).isCloseTo(-0.5772156649015329, within(1e-15));
    assertThat(Special.zeta(2, 1)).isCloseTo(Math.PI * Math.PI / 6, within(1e-15));
    assertThat(Special.polygamma(1, 1)).isCloseTo(Math.PI * Math.PI / 6, within(1e-14));
    assertThat(Special.besselI1Scaled(1)).isCloseTo(0.2079104153497085, within(1e-15));
  }

  @Test
  void upperHalvesOfProducts() {
    LiteralBuilder left = new LiteralBuilder(TensorType.of(ElementType.UI64, 1));
    left.setLong(0, -1);
    Literal value = left.build();
    assertThat(apply(Mulhi.DEF, value, value).getLong(0)).isEqualTo(-2);
    assertThat(ints(Mulhi.DEF, ElementType.I8, -128, 2)).isEqualTo(-1);
  }
}
