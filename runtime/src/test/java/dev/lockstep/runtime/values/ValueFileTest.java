package dev.lockstep.runtime.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.testing.Checkout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ValueFileTest {
  private static final TensorType F32X2 = TensorType.of(ElementType.F32, 2);

  @ParameterizedTest
  @EnumSource
  void npz_everyType_roundTrips(ElementType element) throws IOException {
    Literal literal = RandomValues.of(TensorType.of(element, 2, 3), 7, 0, 0);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ValueWriter.writeNpz(out, ImmutableMap.of("in0.dev1", literal));

    ValueFile file = ValueFile.read("x.npz", out.toByteArray());

    assertThat(file.argument(0, 1, literal.type())).isEqualTo(literal);
    assertThat(file.unused()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void json_everyType_roundTrips(ElementType element) throws IOException {
    Literal literal = RandomValues.of(TensorType.of(element, 2, 3), 7, 0, 0);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ValueWriter.writeJson(out, ImmutableMap.of("out0.dev1", literal));

    ValueFile file = ValueFile.read("x.json", out.toByteArray());

    assertThat(file.result(0, 1, literal.type())).contains(literal);
  }

  @Test
  void json_specialNumbers_areStrings() throws IOException {
    Literal floats =
        Literal.of(
            TensorType.of(ElementType.F64, 4),
            new double[] {Double.NaN, Double.POSITIVE_INFINITY, -0.0, 0.1});
    Literal longs = Literal.of(TensorType.of(ElementType.UI64, 2), new long[] {-1L, 1L << 53});
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ValueWriter.writeJson(out, ImmutableMap.of("out0", floats, "out1", longs));

    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            """
            {"out0":{"type":"f64","shape":[4],"data":["NaN","Infinity","-0.0",0.1]},\
            "out1":{"type":"ui64","shape":[2],"data":["18446744073709551615",9007199254740992]}}
            """);
    assertThat(ValueFile.read("x", out.toByteArray()).result(0, 3, floats.type())).contains(floats);
  }

  @Test
  void sizes_thatTheTypeLeavesOpen_areThoseOfTheFile() throws IOException {
    TensorType open = TensorType.of(ElementType.F32, TensorType.DYNAMIC, 3);
    Literal literal = RandomValues.of(TensorType.of(ElementType.F32, 2, 3), 1, 0, 0);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ValueWriter.writeNpz(out, ImmutableMap.of("in0", literal));
    ValueFile file = ValueFile.read("x.npz", out.toByteArray());

    assertThat(file.argument(0, 0, open)).isEqualTo(literal);
    assertThatThrownBy(
            () -> file.argument(0, 0, TensorType.of(ElementType.F32, TensorType.DYNAMIC, 4)))
        .isInstanceOf(DiagnosticException.class)
        .hasMessageContaining("must be tensor<?x4xf32>");
    assertThatThrownBy(() -> RandomValues.of(open, 1, 0, 0))
        .isInstanceOf(DiagnosticException.class)
        .hasMessageContaining("no sizes are known");
  }

  @Test
  void npy_alone_isArgumentZero() throws IOException {
    Literal literal = RandomValues.of(F32X2, 1, 0, 0);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ValueWriter.writeNpy(out, literal);

    assertThat(ValueFile.read("x.npy", out.toByteArray()).argument(0, 5, F32X2)).isEqualTo(literal);
  }

  @Test
  void argument_ownValueOfADevice_winsOverTheSharedOne() throws IOException {
    ValueFile file =
        json(
            """
            {"in0": {"type": "f32", "shape": [2], "data": [1, 2]},
             "in0.dev1": {"type": "f32", "shape": [2], "data": [3, 4]},
             "note": {"type": "f32", "shape": [], "data": [0]}}\
            """);

    assertThat(file.argument(0, 0, F32X2).getDouble(0)).isEqualTo(1);
    assertThat(file.argument(0, 1, F32X2).getDouble(0)).isEqualTo(3);
    assertThat(file.unused()).containsExactly("note");
  }

  @Test
  void argument_missing_namesTheKeys() throws IOException {
    ValueFile file = json("{\"in1\": {\"type\": \"f32\", \"shape\": [], \"data\": [0]}}");

    assertThatThrownBy(() -> file.argument(0, 2, F32X2))
        .isInstanceOf(DiagnosticException.class)
        .hasMessage(
            "x.json:1:1: error[value-missing]: there is neither 'in0.dev2' nor 'in0' for argument"
                + " 0, which is tensor<2xf32>; the keys are in1");
  }

  @Test
  void argument_wrongShape_saysGotAndExpected() throws IOException {
    ValueFile file = json("{\"in0\": {\"type\": \"f32\", \"shape\": [1], \"data\": [0]}}");

    assertThatThrownBy(() -> file.argument(0, 2, F32X2))
        .hasMessage(
            "x.json:1:1: error[value-mismatch]: 'in0' is tensor<1xf32>, must be tensor<2xf32>");
  }

  @Test
  void argument_bitsWithoutSuffix_namesTheRemedy() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ValueWriter.writeNpz(
        out,
        ImmutableMap.of(
            "in0", Literal.zeros(TensorType.of(ElementType.UI16, 2)),
            "in1", Literal.zeros(F32X2)));
    ValueFile file = ValueFile.read("x.npz", out.toByteArray());

    assertThatThrownBy(() -> file.argument(0, 0, TensorType.of(ElementType.BF16, 2)))
        .hasMessage(
            "x.npz:1:1: error[value-mismatch]: 'in0' is tensor<2xui16>, must be tensor<2xbf16>;"
                + " store its bits as uint16 under 'in0.bf16'");
  }

  @Test
  void read_somethingElse_isADiagnostic() {
    assertThatThrownBy(() -> json("module {}"))
        .isInstanceOf(DiagnosticException.class)
        .hasMessageStartingWith(
            "x.json:1:1: error[values-malformed]: the file is neither .npy, .npz nor a JSON"
                + " object of values");
  }

  /** The example in docs/values.md. */
  @Test
  void theDocumentedExample_isRead() throws IOException {
    String text = Files.readString(Checkout.root().resolve("docs/values.md"));
    String example =
        text.substring(text.indexOf("    {\"in0\""), text.indexOf("`type` is the name"));

    ValueFile file = json(example);

    Literal floats = file.argument(0, 3, TensorType.of(ElementType.F32, 2, 3));
    assertThat(floats.getDouble(4)).isEqualTo(-0.0);
    assertThat(floats.getDouble(5)).isNaN();
    assertThat(file.argument(1, 0, TensorType.of(ElementType.I64)).getLong(0))
        .isEqualTo(9007199254740993L);
    assertThat(file.argument(2, 0, TensorType.of(ElementType.C64, 1)).getImaginary(0))
        .isEqualTo(-2);
    assertThat(file.unused()).isEmpty();
  }

  @Test
  void read_jsonMistakes_pointAtTheirPlaces() {
    assertMistake(
        "{\"in0\": {\"type\": \"f32\", \"shape\": [1], \"data\": [x]}}",
        "1:48: error[values-malformed]: this is no JSON: expected a value or ']', found 'x'");
    assertMistake(
        "{\n \"in0\": {\"type\": \"f32\", \"shape\": 3}}",
        "2:34: error[values-malformed]: 'in0' has something else than a list as shape");
    assertMistake("{\"in0\": {}}", "1:10: error[values-malformed]: 'in0' has no 'type'");
    assertMistake(
        "{\"a\": {\"type\": \"i1\", \"type\": \"i1\"}}",
        "1:22: error[values-malformed]: the name \"type\" is given twice");
    assertMistake(
        "{\"in0\": {\"type\": ",
        "1:18: error[values-malformed]: this is no JSON: expected a value, and the text ends here");
    assertMistake(
        "{\"in0\": {\"type\" \"f32\"}}",
        "1:17: error[values-malformed]: this is no JSON: expected ':', found '\"'");
    assertMistake(
        "{} {}", "1:4: error[values-malformed]: the file has something else than one object");
  }

  private static void assertMistake(String text, String message) {
    assertThatThrownBy(() -> json(text)).hasMessageStartingWith("x.json:" + message);
  }

  @Test
  void keys_areOrderedAsPeopleCount() {
    assertThat(ValueKeys.NATURAL_ORDER.compare("out2.dev0", "out10.dev0")).isNegative();
    assertThat(ValueKeys.NATURAL_ORDER.compare("out2.dev10", "out2.dev9")).isPositive();
  }

  private static ValueFile json(String text) throws IOException {
    return ValueFile.read("x.json", text.getBytes(StandardCharsets.UTF_8));
  }
}
