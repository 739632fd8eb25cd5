package dev.lockstep.hlo.text.mlir;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong texts are answered with a place and a reason, whatever they are. */
class MlirErrorsTest {
  private static void read(String text) {
    MlirReader.read(Source.of("test.mlir", text));
  }

  private static String messageOf(String text) {
    return requireNonNull(
        catchThrowableOfType(DiagnosticException.class, () -> read(text)).getMessage());
  }

  @Test
  void pointsAtTheOperandWhoseTypeIsWrong() {
    assertThat(
            messageOf(
                "func.func @f(%a: tensor<f32>) {\n  %0 = stablehlo.add %a, %a : tensor<i32>\n}"))
        .isEqualTo(
            """
            test.mlir:2:22: error[operand-type]: use of value '%a' expects different type than \
            prior uses: 'tensor<i32>' vs 'tensor<f32>'
                %0 = stablehlo.add %a, %a : tensor<i32>
                                   ^~""");
  }

  @Test
  void saysWhatCouldStandThere() {
    assertThat(messageOf("func.func @f(%a tensor<f32>) { return }"))
        .startsWith("test.mlir:1:17: error[syntax]: expected ':', got 'tensor<f32>'");
    assertThat(messageOf("\"a.b\"(3) : () -> ()"))
        .startsWith("test.mlir:1:7: error[syntax]: expected ')', got '3'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "func.func @f(%a: tensor<f32>, %a: tensor<f32>) { return }|redefined-value",
        "func.func @f() { return %a : tensor<f32> }|undefined-value",
        "func.func @f() { call @g() : () -> () return }|unknown-callee",
        "func.func private @f() func.func private @f()|redefined-symbol",
        "func.func @f() { my.op return }|unknown-op",
        "func.func @f() { %0:2 = stablehlo.create_token : !stablehlo.token return }|result-count",
        "module attributes {a = 1 : i8, a = 2 : i8}{}|duplicate-attribute",
        "module attributes {a = dense<[1, 2]> : tensor<3xi8>}{}|literal-shape",
        "module attributes {a = dense<[[1], [2, 3]]> : tensor<2x1xi8>}{}|literal-shape",
        "module attributes {a = dense<300> : tensor<i8>}{}|literal-element",
        "module attributes {a = dense<1> : tensor<f32>}{}|literal-element",
        "module attributes {a = dense<1> : tensor<99999999999xi8>}{}|literal-size",
        "module attributes {a = dense<\"0x0\"> : tensor<1xi8>}{}|literal-blob",
        "module attributes {a = 99999999999999999999 : i64}{}|number",
        "module attributes {a = #b}{}|undefined-alias",
        "module {} loc(#loc)|undefined-alias",
        "#loc = loc(#loc) module {} loc(#loc)|nesting-too-deep",
        "func.func private @f(tensor<?xf32, #stablehlo.bounds<1, 2>>)|bounds",
        "func.func private @f(tensor<2y3xf32>)|syntax",
        "module {|syntax",
        "module attributes {a = \"b|unterminated-string",
        "module attributes {a = #b<[}>}{}|unbalanced",
      })
  void namesTheProblem(String text, String code) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(DiagnosticException.class)
        .hasMessageContaining("error[" + code + "]");
  }

  @ParameterizedTest
  @CsvSource({
    "'(',syntax",
    "'module {',nesting-too-deep",
    "'\"a.b\"() ({',nesting-too-deep",
    "'module attributes {a = [',syntax"
  })
  void endsEarlyOnDeepNesting(String part, String code) {
    assertThatThrownBy(() -> read(part.repeat(200_000)))
        .isInstanceOf(DiagnosticException.class)
        .hasMessageContaining("error[" + code + "]");
  }

  @Test
  void refusesDeepTypesAndAttributes() {
    assertThat(messageOf("module attributes {a = " + "[".repeat(100_000)))
        .contains("nesting-too-deep");
    assertThat(messageOf("func.func private @f(" + "tuple<".repeat(100_000)))
        .contains("nesting-too-deep");
    assertThat(messageOf("module {} loc(" + "callsite(".repeat(100_000)))
        .contains("nesting-too-deep");
  }

  @Test
  void refusesWhatIsNotUtf8() {
    byte[] bytes = {'m', 'o', (byte) 0xFF};
    assertThatThrownBy(() -> MlirReader.read(Source.of("test.mlir", bytes)))
        .isInstanceOf(DiagnosticException.class)
        .hasMessageContaining("error[encoding]");
  }

  @Test
  void regionsEndTheLifeOfTheirNames() {
    String region = "\"a.b\"() ({ %x = stablehlo.create_token : !stablehlo.token }) : () -> ()\n";
    read("func.func @f() {\n" + region + region + "return }");
    assertThat(
            messageOf(
                "func.func @f() {\n" + region + "\"a.c\"(%x) : (!stablehlo.token) -> ()\nreturn }"))
        .contains("undefined-value");
  }
}
