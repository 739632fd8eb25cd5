package dev.lockstep.golden.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpSet;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.translate.Translation;
import dev.lockstep.hlo.translate.TranslationTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Golden programs in the other syntax, and back in their own, compute what they computed. */
final class TranslationTest {
  /** For each case that is not translated, the op at which it stops. */
  private static final Path REFUSED = Path.of("src/test/resources/translate/refused.txt");

  @Test
  void cases_computeTheSameInTheOtherSyntaxAndBack() throws IOException {
    List<String> wrong = new ArrayList<>();
    TreeSet<String> refused = new TreeSet<>();
    int agreed = 0;
    for (TranslatedProgram program : TranslatedProgram.all()) {
      String name = program.golden().name();
      Module there;
      try {
        there = Translation.to(program.other(), program.golden().module());
      } catch (DiagnosticException e) {
        assertThat(e.diagnostics().get(0).location()).as(name).isNotNull();
        refused.add(name + ": " + e.diagnostics().get(0).message());
        continue;
      }
      try {
        Module back = Translation.to(program.golden().module().syntax(), there);
        for (Module module : new Module[] {there, back}) {
          program
              .differences(TranslatedProgram.text(module))
              .forEach(line -> wrong.add(name + " " + module.syntax() + ": " + line));
        }
        agreed++;
      } catch (DiagnosticException e) {
        wrong.add(name + ": " + e.getMessage());
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(String.join("\n", refused) + "\n").isEqualTo(Files.readString(REFUSED));
    assertThat(agreed).isGreaterThan(300);
  }

  /** What stands in braces without quotes in HLO text is a string, and no dictionary of MLIR. */
  @Test
  void bracesOfHlo_becomeStrings() {
    Module module =
        hlo(
            """
            HloModule m, frontend_attributes={meshes={a:1}}
            ENTRY main {
              a = f32[2] parameter(0)
              c = f32[2] custom-call(a), custom_call_target="f", backend_config={ "n": 1 }
              ROOT p = f32[2] collective-permute(c), source_target_pairs={}, frontend_attributes={k={{0,1}}}
            }
            """);
    String text = Texts.print(Translation.to(Syntax.STABLEHLO, module));
    assertThat(text)
        .contains("meshes = \"{a:1}\"")
        .contains("backend_config = \"{ \\22n\\22: 1 }\"")
        .contains("k = \"{{0,1}}\"")
        .contains("source_target_pairs = dense<> : tensor<0x2xi64>");
    Module back = Translation.to(Syntax.HLO, Texts.read(Source.of("m.mlir", text)));
    assertThat(Texts.print(back))
        .contains("frontend_attributes={meshes={a:1}}")
        .contains("backend_config={ \"n\": 1 }")
        .contains("frontend_attributes={k={{0,1}}}");
  }

  @Test
  void whatOnlyHloSays_isRefused() {
    assertThatThrownBy(
            () ->
                Translation.to(
                    Syntax.STABLEHLO,
                    hlo(
                        "ENTRY main { a = f32[2] parameter(0)\n ROOT c = f32[2] custom-call(a),"
                            + " custom_call_target=\"f\", window={size=2 pad=0_1} }")))
        .hasMessageContaining("its attribute 'window' has no form");
    assertThatThrownBy(
            () ->
                Translation.to(
                    Syntax.STABLEHLO,
                    hlo(
                        "ENTRY main { a = f32[4] parameter(0)\n i = s32[1] parameter(1)\n ROOT c ="
                            + " f32[2] dynamic-slice(a, i), dynamic_slice_sizes={2} }")))
        .hasMessageContaining("its indices are one array");
  }

  private static Module hlo(String text) {
    return Texts.read(Source.of("m.hlo", text));
  }

  @Test
  void ops_areTranslatedOrSayWhyNot() throws IOException {
    List<String> silent = new ArrayList<>();
    for (OpDef def : OpSet.standard().all()) {
      for (Syntax from : Syntax.values()) {
        if (TranslationTable.isOf(def, from)
            && !TranslationTable.isTranslated(def, from)
            && TranslationTable.known(def) == null) {
          silent.add(from + " " + def.name());
        }
      }
    }
    assertThat(silent).isEmpty();
    assertThat(Files.readString(Path.of("../docs/translate.md"))).contains(table());
  }

  private static String table() {
    StringBuilder out = new StringBuilder("| op | from | why not |\n|---|---|---|\n");
    for (OpDef def : OpSet.standard().all()) {
      List<String> from = new ArrayList<>();
      for (Syntax syntax : Syntax.values()) {
        if (TranslationTable.isOf(def, syntax) && !TranslationTable.isTranslated(def, syntax)) {
          from.add(syntax == Syntax.HLO ? "HLO" : "StableHLO");
        }
      }
      if (!from.isEmpty()) {
        out.append(
            String.format(
                "| %s | %s | %s |%n",
                def.name(), String.join(", ", from), TranslationTable.known(def)));
      }
    }
    return out.toString();
  }
}
