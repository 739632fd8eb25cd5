package dev.lockstep.tools.docs;

import dev.lockstep.pass.Pass;
import dev.lockstep.pass.PassInfo;
import dev.lockstep.pass.PassOption;
import dev.lockstep.pass.PassRegistry;

/** Writes docs/passes.md: one section for each pass, from its information. */
public final class PassDocs {
  private static final String HEADER =
      """
      <!-- Written by `./lockstep docs` from what passes say of themselves; a test fails when stale. -->
      # Passes

      A pass is named in a pipeline, `lockstep opt --pipeline 'a,b{option=value}'`, or by the flag of
      its own name, `--a --b=option=value`. `fixpoint(a,b)` repeats until nothing changes.
      """;

  private PassDocs() {}

  /** Returns the document for {@code passes}. */
  public static String render(PassRegistry passes) {
    StringBuilder out = new StringBuilder(HEADER);
    for (Pass pass : passes.all()) {
      PassInfo info = pass.info();
      out.append("\n## ").append(info.name()).append("\n\n").append(info.summary()).append(".\n");
      if (!info.description().isBlank()) {
        out.append('\n').append(info.description().strip()).append('\n');
      }
      if (!info.options().isEmpty()) {
        out.append("\n| option | default | what it does |\n|---|---|---|\n");
      }
      for (PassOption<?> option : info.options()) {
        out.append("| `")
            .append(option.name())
            .append("` | `")
            .append(option.fallback())
            .append("` | ")
            .append(option.summary())
            .append(" (")
            .append(option.expected())
            .append(") |\n");
      }
    }
    return out.toString();
  }
}
