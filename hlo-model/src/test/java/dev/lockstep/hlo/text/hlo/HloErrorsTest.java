package dev.lockstep.hlo.text.hlo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.base.Strings;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every bad text gives a diagnostic with a place: no other exception, no endless work. */
final class HloErrorsTest {
  private static Diagnostic error(String text) {
    return error(Source.of("bad.hlo", text));
  }

  private static Diagnostic error(Source source) {
    DiagnosticException e =
        catchThrowableOfType(DiagnosticException.class, () -> HloReader.read(source));
    assertThat(e).isNotNull();
    Diagnostic first = e.diagnostics().get(0);
    assertThat(first.location().begin()).isBetween(0, source.length());
    assertThat(first.location().end()).isBetween(first.location().begin(), source.length());
    return first;
  }

  private static Diagnostic inEntry(String lines) {
    return error("HloModule m\nENTRY e {\np = f32[4] parameter(0)\n" + lines + "\n}\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "ROOT r = f32[4] negate(q)|unknown-operand|q",
        "r = f32[4] negate(p)\\n r = f32[4] negate(p)|duplicate-name|r",
        "r = f32[4] frobnicate(p)|unknown-opcode|frobnicate",
        "r = f32[4] add(p)|operand-count|add",
        "r = f32[4] negate(f32[5] p)|operand-shape|p",
        "r = f32[4] copy(p), index=1, index=2|duplicate-attribute|index",
        "r = slice(p), slice={[0:1]}|shape-missing|slice",
        "r = f32[] reduce(p, p), to_apply=nope|unknown-computation|nope",
        "ROOT r = f32[4] copy(p)\\nROOT s = f32[4] copy(p)|two-roots|ROOT",
        "r = s32[2] constant({1})|syntax|}",
        "r = s8[1] constant({300})|syntax|300",
        "r = f33[4] copy(p)|syntax|f33",
        "r = f32[4]{1,0} copy(p)|syntax|{1,0}",
        "q = f32[4] parameter(2)|parameter-number|q = f32[4] parameter(2)",
        "q = f32[4] parameter(0)|parameter-number|q = f32[4] parameter(0)",
        "r = f32[4] all-gather(p), replica_groups=[2,2]<=[3]|syntax|[2,2]<=[3]",
        "r = f32[4] all-gather(p), replica_groups=mesh['a'=2] {'b'}|syntax|'b'",
        "r = f32[4] copy(p), metadata={nope=1}|syntax|nope",
        "r = f32[4] copy(p) copy(p)|syntax|copy",
        "r = f32[4] add(p, %p#0)|tuple-index|%p#0"
      })
  void mistakes_arePointedAt(String lines, String code, String underlined) {
    Diagnostic diagnostic = inEntry(lines.replace("\\n", "\n"));
    assertThat(diagnostic.code()).isEqualTo(code);
    assertThat(
            diagnostic
                .location()
                .source()
                .text(diagnostic.location().begin(), diagnostic.location().end()))
        .isEqualTo(underlined);
  }

  @Test
  void unexpectedToken_saysWhatWasExpected() {
    assertThat(inEntry("r = f32[4] negate p").message())
        .isEqualTo("expected '(', but got a name 'p'");
    assertThat(error("HloModule m\nENTRY e {\np = f32[4] parameter(0)").message())
        .contains("'}'")
        .contains("the end of the text");
  }

  @Test
  void twoEntries_pointAtBoth() {
    Diagnostic diagnostic =
        error("ENTRY a { ROOT p = f32[] parameter(0) }\nENTRY b { ROOT p = f32[] parameter(0) }");
    assertThat(diagnostic.code()).isEqualTo("two-entries");
    assertThat(diagnostic.notes()).hasSize(1);
  }

  @Test
  void signature_mustFitRoot() {
    assertThat(error("ENTRY a (p: f32[]) -> s32[] { ROOT p = f32[] parameter(0) }").code())
        .isEqualTo("result-shape");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "\0",
        "(",
        "HloModule",
        "HloModule m",
        "HloModule m,",
        "HloModule m, a",
        "ENTRY",
        "ENTRY e",
        "ENTRY e {",
        "ENTRY e {}",
        "e (",
        "x =",
        "x = f32",
        "x = f32[",
        "f32[] add(",
        "\"abc",
        "/* abc",
        "HloModule m, a={",
        "HloModule m, a=\"",
        "%",
        "% =",
        "a=",
        "ENTRY e { x = f32[] constant(",
        "ENTRY e { x = f32[] add(), metadata={",
        "x = f32[999999999999999999999] parameter(0)",
        "-",
        "->",
        "FileNames",
        "ROOT"
      })
  void fragments_giveADiagnostic(String text) {
    error(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "[", "{", "add(", "f32[] add(", "b(", "/* ", "{ROOT x = f32[] "})
  void deepNesting_givesADiagnostic(String unit) {
    String deep = Strings.repeat(unit, 4_000_000 / unit.length());
    error(deep);
    inEntry("r = " + deep);
    inEntry("r = f32[] " + deep);
    inEntry("r = f32[] negate(" + deep);
    inEntry("r = f32[2] constant(" + deep);
    inEntry("r = f32[] negate(p), sharding=" + deep);
    inEntry("r = f32[] negate(p), to_apply=" + deep);
  }

  @Test
  void hugeShapes_allocateNothing() {
    assertThat(inEntry("r = f32[2147483647] constant({1})").code()).isEqualTo("syntax");
    assertThat(inEntry("r = f32[100000,100000,100000,100000] constant(1)").code())
        .isEqualTo("syntax");
  }

  @Test
  void malformedUtf8_givesADiagnostic() {
    byte[] bytes = {'H', (byte) 0xFF, (byte) 0xFE, ' ', '{'};
    error(Source.of("bad.hlo", bytes));
  }

  @Test
  void truncatedAndChangedTexts_giveAModuleOrADiagnostic() {
    byte[] good =
        ("HloModule m, entry_computation_layout={(f32[4]{0})->f32[]}\n\n%add (a: f32[], b: f32[])"
                + " -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %c ="
                + " f32[] add(%a, %b), metadata={op_name=\"x\\\"y\" source_line=3}\n}\n\nENTRY %e"
                + " (p: f32[4]) -> f32[] {\n  %p = f32[4]{0:T(128)} parameter(0),"
                + " sharding={devices=[2]<=[2]}\n  %i = f32[2,2] constant({{1,nan},{-1e9,0}})\n "
                + " %r = f32[4] all-reduce(%p), replica_groups=[2,2]<=[2,2]T(1,0), to_apply=%add\n"
                + "  %s = ((f32[4]), f32[4]) abs-start(%r), backend_config={\"a\":[1]}\n  %z ="
                + " f32[] constant(0)\n  ROOT %o = f32[] reduce(%r, %z), dimensions={0},"
                + " to_apply=%add\n}\n")
            .getBytes(java.nio.charset.StandardCharsets.UTF_8);
    Hlo.read(new String(good, java.nio.charset.StandardCharsets.UTF_8));
    for (int length = 0; length < good.length; length++) {
      tryToRead(Arrays.copyOf(good, length));
    }
    Random random = new Random(7);
    for (int i = 0; i < 5000; i++) {
      byte[] bytes = good.clone();
      for (int change = 0; change <= random.nextInt(3); change++) {
        bytes[random.nextInt(bytes.length)] =
            random.nextBoolean() ? good[random.nextInt(good.length)] : (byte) random.nextInt(256);
      }
      tryToRead(bytes);
    }
  }

  private static void tryToRead(byte[] bytes) {
    try {
      assertThat(HloPrinter.print(HloReader.read(Source.of("t.hlo", bytes)))).isNotEmpty();
    } catch (DiagnosticException e) {
      assertThat(e.diagnostics()).isNotEmpty();
    }
  }
}
