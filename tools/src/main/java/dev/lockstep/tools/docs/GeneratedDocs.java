package dev.lockstep.tools.docs;

import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.op.OpSet;
import dev.lockstep.tools.program.AllPasses;

/** All documents that are written from definitions, by their paths seen from the checkout. */
public final class GeneratedDocs {
  private GeneratedDocs() {}

  /** Returns the documents. */
  public static ImmutableMap<String, String> all() {
    return ImmutableMap.of(
        "docs/ops.md", OpDocs.render(OpSet.standard()),
        "docs/passes.md", PassDocs.render(AllPasses.registry()),
        "docs/fx.md", FxDocs.render());
  }
}
