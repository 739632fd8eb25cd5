package dev.lockstep.tools.verb;

import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.pass.analysis.DistributedCall;

/** What users call operations. */
final class SiteWords {
  private SiteWords() {}

  /** Returns the name of the call that {@code operation} is, else its name in the text. */
  static String name(Operation operation, Module module) {
    String target = DistributedCall.target(operation);
    return target != null ? target : operation.def().nameIn(module.syntax());
  }
}
