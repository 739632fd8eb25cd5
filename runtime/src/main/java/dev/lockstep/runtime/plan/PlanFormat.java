package dev.lockstep.runtime.plan;

import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;

/** What the writer and the reader of {@code plan.json} agree on. */
final class PlanFormat {
  /** The file in a plan's folder. */
  static final String FILE = "plan.json";

  /** The schema that is written, and the only one that is read. */
  static final String SCHEMA = "lockstep-plan/1";

  /** Diagnostic code: a plan's files are damaged or are no plan. */
  static final String CODE = "plan-file";

  private PlanFormat() {}

  /** Returns the name of the file that holds the text of a segment. */
  static String fileName(String segment, Module module) {
    return segment + (module.syntax() == Syntax.HLO ? ".hlo" : ".mlir");
  }
}
