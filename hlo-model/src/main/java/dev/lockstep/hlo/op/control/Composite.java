package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import java.util.regex.Pattern;

/** {@code stablehlo.composite}. */
public final class Composite {
  /** The name of the operation. */
  public static final AttrKey<String> NAME = AttrKeys.word("name", "");

  private static final Pattern NAMESPACED =
      Pattern.compile("[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.composite")
          .summary("Runs a function that stands for a known operation")
          .attributes(NAME)
          .inherent("composite_attributes", "decomposition", "version")
          .bodies("decomposition")
          .constraint(
              "C1",
              "the name has a name space",
              (operation, code, sink) -> {
                String name = NAME.find(operation);
                if (name != null && !NAMESPACED.matcher(name).matches()) {
                  sink.error(
                      code,
                      "name '" + name + "' must be like my_namespace.my_op",
                      operation.location());
                }
              })
          .semantics(Semantics.Control.CALL)
          .build();

  private Composite() {}
}
