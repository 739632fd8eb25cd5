package dev.lockstep.hlo.text.hlo;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;

/** Texts to modules and back, for tests. */
final class Hlo {
  private Hlo() {}

  static Module read(String text) {
    return HloReader.read(Source.of("test.hlo", text));
  }

  /** Returns the module of an ENTRY with {@code lines} as its body. */
  static Module entry(String... lines) {
    return read("HloModule m\n\nENTRY e {\n" + String.join("\n", lines) + "\n}\n");
  }

  /** Returns ROOT of the entry of {@code module}. */
  static Operation root(Module module) {
    return requireNonNull(module.entryFunction().orElseThrow().body().root());
  }

  /** Returns the line of ROOT as printed, without {@code ROOT} and the name. */
  static String printedRoot(Module module) {
    String text = HloPrinter.print(module);
    assertThat(HloPrinter.print(read(text))).as("printing again").isEqualTo(text);
    int begin = text.indexOf(" = ", text.lastIndexOf("  ROOT %")) + 3;
    return text.substring(begin, text.indexOf('\n', begin));
  }
}
