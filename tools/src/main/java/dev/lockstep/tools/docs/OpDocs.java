package dev.lockstep.tools.docs;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpSet;
import dev.lockstep.hlo.op.Semantics;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes docs/ops.md: one section for each op, from its definition. */
public final class OpDocs {
  private static final String HEADER =
      """
      <!-- Written by `./lockstep docs` from the definitions of the ops; a test fails when stale. -->
      # Ops

      Each rule's label is the specification's, and its diagnostic code is `<op>-<label>`, for
      example `all_gather-c1`. An attribute stands under its name in StableHLO text, and after the
      slash under the one in HLO text where that differs.
      """;

  private OpDocs() {}

  /** Returns the document for {@code ops}. */
  public static String render(OpSet ops) {
    StringBuilder out = new StringBuilder(HEADER);
    for (OpDef op : ops.all()) {
      section(out, op);
    }
    return out.toString();
  }

  private static void section(StringBuilder out, OpDef op) {
    out.append("\n## ").append(op.name()).append("\n\n").append(op.summary()).append(".\n\n");
    if (op.hloName() != null) {
      out.append("- HLO: `").append(op.hloName()).append("`\n");
    }
    if (!op.attributes().isEmpty()) {
      out.append("- Attributes: ")
          .append(op.attributes().stream().map(OpDocs::attribute).collect(Collectors.joining(", ")))
          .append('\n');
    }
    if (!op.bodyAttributes().isEmpty()) {
      out.append("- Bodies: ")
          .append(
              op.bodyAttributes().stream()
                  .map(name -> "`" + name + "`")
                  .collect(Collectors.joining(", ")))
          .append('\n');
    }
    if (!op.traits().isEmpty()) {
      out.append("- Traits: ")
          .append(
              op.traits().stream()
                  .map(trait -> trait.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                  .collect(Collectors.joining(", ")))
          .append('\n');
    }
    if (op.semantics() instanceof Semantics.Unsupported) {
      out.append("- Not executed: ")
          .append(((Semantics.Unsupported) op.semantics()).reason())
          .append('\n');
    }
    for (Constraint rule : op.constraints()) {
      out.append("- ").append(rule.label()).append(": ").append(rule.summary()).append('\n');
    }
  }

  private static String attribute(AttrKey<?> key) {
    if (key.hloName().isEmpty() || key.hloName().equals(key.mlirName())) {
      return "`" + key.mlirName() + "`";
    }
    return key.mlirName().isEmpty()
        ? "`" + key.hloName() + "` (HLO only)"
        : "`" + key.mlirName() + "`/`" + key.hloName() + "`";
  }
}
