package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.case}. */
public final class Case {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.case")
          .summary("Runs the body that an index chooses")
          .takes(TypeClass.INT.scalar())
          .constraint(
              "C1",
              "there is a branch",
              (operation, code, sink) -> {
                if (operation.regions().isEmpty()) {
                  sink.error(code, "there is no branch", operation.location());
                }
              })
          .semantics(Semantics.Control.CASE)
          .build();

  private Case() {}
}
