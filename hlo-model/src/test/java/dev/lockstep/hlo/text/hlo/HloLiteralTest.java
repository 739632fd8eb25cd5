package dev.lockstep.hlo.text.hlo;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.literal.Literal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Literals; the expected texts are those of XLA in jaxlib 0.10.2. */
final class HloLiteralTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "s32[]|1|1",
        "s32[2]|{1,2}|{1, 2}",
        "s32[2,2]|{{1,2},{3,4}}|{ { 1, 2 }, { 3, 4 } }",
        "s32[2,1]|{{1},{3}}|{ {1}, {3} }",
        "s32[2,1,2]|{{{1,2}},{{3,4}}}|{ { { 1, 2 } }, { { 3, 4 } } }",
        "s32[1,1,1,2]|{{{{1,2}}}}|{ { /*i0=0*/ { /*i1=0*/ { 1, 2 } } } }",
        "s32[2,0]|{{},{}}|{ {}, {} }",
        "s32[0]|{}|{}",
        "pred[]|true|true",
        "pred[2,2]|{{true,false},{0,1}}|{ { 1, 0 }, { 0, 1 } }",
        "u64[]|18446744073709551615|18446744073709551615",
        "s64[]|-9223372036854775808|-9223372036854775808",
        "f32[4]|{nan,-nan,inf,-inf}|{nan, -nan, inf, -inf}",
        "f32[3]|{nan(0x1),nan(0x400001),-nan(0x7fffff)}|{nan(0x1), nan(0x400001), -nan(0x7fffff)}",
        "f32[3]|{1e10,0.1,-0.0}|{1e+10, 0.1, -0}",
        "f32[4]|{123456,1234567,1000000,1e-5}|{123456, 1234567, 1e+06, 1e-05}",
        "f32[2]|{0.333333343,1.17549435e-38}|{0.333333343, 1.17549435e-38}",
        "f64[2]|{0.1,3.141592653589793}|{0.1, 3.1415926535897931}",
        "bf16[3]|{0.1,3.14159,1234}|{0.1001, 3.141, 1232}",
        "f16[3]|{0.1,65504,1e-5}|{0.099976, 65504, 1.0014e-05}",
        "f8e5m2[2]|{0.1,448}|{0.094, 4.5e+02}",
        "f8e4m3fn[3]|{0.1,448,-nan}|{0.102, 448, -nan}",
        "f8e8m0fnu[2]|{0.5,256}|{0.5, 2.6e+02}",
        "f4e2m1fn[2]|{0.5,6}|{0.5, 6}",
        "c64[2]|{(1,2),(0.1,-3)}|{(1, 2), (0.1, -3)}",
        "c128[]|(1,-0.1)|(1, -0.1)",
        "s4[3]|{-8,7,1}|{-8, 7, 1}",
        "(s32[], f32[2])|(1, {2, 3})|(1, {2, 3})"
      })
  void literals_printAsXlaPrintsThem(String shape, String written, String printed) {
    String root = Hlo.printedRoot(Hlo.entry("ROOT c = " + shape + " constant(" + written + ")"));
    assertThat(root).endsWith(" constant(" + printed + ")");
  }

  @Test
  void numbers_areRoundedCorrectly() {
    Literal literal = literal("f64[3]", "{0.1, 123456789012345678, 2.2250738585072011e-308}");
    assertThat(literal.getDouble(0)).isEqualTo(0.1);
    assertThat(literal.getDouble(1)).isEqualTo(Double.parseDouble("123456789012345678"));
    assertThat(literal.getDouble(2)).isEqualTo(Double.parseDouble("2.2250738585072011e-308"));
  }

  @Test
  void elements_standInRowMajorOrder() {
    Literal literal = literal("s32[2,3]{0,1}", "{{1,2,3},{4,5,6}}");
    assertThat(literal.toLongs()).containsExactly(1, 2, 3, 4, 5, 6);
  }

  private static Literal literal(String shape, String text) {
    Attribute value =
        Hlo.root(Hlo.entry("ROOT c = " + shape + " constant(" + text + ")")).attribute("value");
    assertThat(value).isInstanceOf(Attribute.Dense.class);
    return ((Attribute.Dense) requireNonNull(value)).literal();
  }
}
