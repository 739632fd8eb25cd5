package dev.lockstep.hlo.diag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class DiagnosticRendererTest {
  @Test
  void range_isUnderlinedAndNotesFollow() {
    Source source = Source.of("prog.mlir", "a\n  bad = 2,\nc");
    assertThat(
            Diagnostic.error("all_gather-c1", "dim is 2", new Location(source, 4, 11))
                .withNote("first listed here", new Location(source, 0, 1))
                .toString())
        .isEqualTo(
            """
            prog.mlir:2:3: error[all_gather-c1]: dim is 2
                bad = 2,
                ^~~~~~~
            prog.mlir:1:1: note: first listed here
              a
              ^\
            """);
  }

  @Test
  void columns_countCodePoints() {
    Source source = Source.of("p", "\u00e9\ud83d\ude00x");
    int x = "\u00e9\ud83d\ude00".getBytes(StandardCharsets.UTF_8).length;
    assertThat(Diagnostic.error("e", "m", new Location(source, x, x + 1)).toString())
        .isEqualTo("p:1:3: error[e]: m\n  \u00e9\ud83d\ude00x\n    ^");
  }

  @Test
  void controlCharacters_doNotReachTheTerminal() {
    Source source = Source.of("p\u0007", "\u001b[31mred\u001b[0m x");
    assertThat(Diagnostic.error("e", "no '\u001b[1m'", new Location(source, 13, 14)).toString())
        .isEqualTo(
            "p\uFFFD:1:14: error[e]: no '\uFFFD[1m'\n  \uFFFD[31mred\uFFFD[0m x\n"
                + " ".repeat(15)
                + "^");
  }

  @Test
  void longLine_isCutAroundTheCaret() {
    Source source = Source.of("p", "x".repeat(1_000_000) + "!" + "y".repeat(1_000_000));
    String text = Diagnostic.error("e", "m", new Location(source, 1_000_000, 1_000_001)).toString();
    assertThat(text.length()).isLessThan(500);
    String[] lines = text.split("\n", -1);
    assertThat(lines[1].charAt(lines[2].indexOf('^'))).isEqualTo('!');
  }

  @Test
  void endOfFile_hasACaretAfterTheLastCharacter() {
    Source source = Source.of("p", "ab");
    assertThat(Diagnostic.error("e", "m", new Location(source, 2, 2)).toString())
        .isEqualTo("p:1:3: error[e]: m\n  ab\n    ^");
  }

  @Test
  void sink_sortsByPlaceAndKeepsCounting() {
    Source source = Source.of("p", "abcdef");
    DiagnosticSink sink = new DiagnosticSink();
    for (int i = 0; i < DiagnosticSink.MAX_ERRORS + 50; i++) {
      sink.error("e", "m" + i, new Location(source, 5 - i % 6, 6));
    }
    assertThat(sink.errorCount()).isEqualTo(DiagnosticSink.MAX_ERRORS + 50);
    assertThat(sink.diagnostics()).hasSize(DiagnosticSink.MAX_ERRORS);
    assertThat(sink.diagnostics().get(0).location().begin()).isZero();
    assertThatThrownBy(sink::throwIfErrors).isInstanceOf(DiagnosticException.class);
  }
}
