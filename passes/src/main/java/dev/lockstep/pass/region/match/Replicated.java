package dev.lockstep.pass.region.match;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import org.jspecify.annotations.Nullable;

/** Which arguments of a program are promised to be equal on all partitions. */
final class Replicated {
  private Replicated() {}

  /**
   * Returns whether parameter {@code index} of {@code entry} has the sharding {@code {replicated}}.
   *
   * @param attributes MLIR's dictionaries of arguments, or null
   */
  static boolean isReplicated(
      Value parameter, int index, Function entry, @Nullable Attribute attributes) {
    Attribute sharding = null;
    if (attributes instanceof Attribute.Array
        && index < ((Attribute.Array) attributes).elements().size()) {
      Attribute own = ((Attribute.Array) attributes).elements().get(index);
      sharding =
          own instanceof Attribute.Dict
              ? ((Attribute.Dict) own).entries().get("mhlo.sharding")
              : null;
    }
    for (Operation operation : entry.body().operations()) {
      if (operation.is(BuiltinOps.PARAMETER) && operation.results().contains(parameter)) {
        sharding = operation.attribute("sharding");
      }
    }
    String text = null;
    if (sharding instanceof Attribute.Str) {
      text = ((Attribute.Str) sharding).value();
    } else if (sharding instanceof Attribute.Raw) {
      text = ((Attribute.Raw) sharding).text();
    }
    return text != null && text.trim().equals("{replicated}");
  }
}
