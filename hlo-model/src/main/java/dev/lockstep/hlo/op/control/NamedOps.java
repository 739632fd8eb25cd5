package dev.lockstep.hlo.op.control;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpSet;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.data.TopK;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Ops that texts for older consumers hold as custom calls of their names: {@code mhlo.erf}, {@code
 * mhlo.topk} and others, with their attributes under {@code mhlo.attributes}.
 */
final class NamedOps {
  private NamedOps() {}

  /** Returns what the op that {@code target} names computes on one device, or null. */
  static @Nullable Semantics meaning(Operation operation, String target) {
    String name = null;
    if (target.startsWith("mhlo.") || target.startsWith("chlo.")) {
      name = target.substring("mhlo.".length());
    }
    if (name == null) {
      return null;
    }
    OpDef def = OpSet.standard().byName("chlo." + (name.equals("topk") ? "top_k" : name));
    if (def == null || !(def.semantics() instanceof Semantics.Local local)) {
      return null;
    }
    Attributes attributes = attributes(operation);
    return (Semantics.Local)
        (call, operands) -> local.eval(call.withAttributes(attributes), operands);
  }

  private static Attributes attributes(Operation operation) {
    for (String key : new String[] {"mhlo.attributes", "chlo.attributes"}) {
      if (operation.attribute(key) instanceof Attribute.Dict dict) {
        return dict.entries();
      }
    }
    return operation.attributes();
  }

  /** XLA's own call: as many elements as the results say. */
  static ImmutableList<Datum> topK(Operation operation, ImmutableList<Datum> operands) {
    Type first = operation.resultTypes().get(0);
    TensorType values =
        (TensorType) (first instanceof TupleType ? ((TupleType) first).elements().get(0) : first);
    Attribute k = Attribute.Int.untyped(values.dim(values.rank() - 1));
    return ((Semantics.Local) TopK.DEF.semantics())
        .eval(operation.withAttributes(Attributes.of("k", k)), operands);
  }

  /** Fails with the message of a {@code shape_assertion} unless its first operand is true. */
  static ImmutableList<Datum> shapeAssertion(Operation operation, ImmutableList<Datum> operands) {
    if (((Literal) operands.get(0)).getLong(0) == 0) {
      String message =
          operation.attribute("error_message") instanceof Attribute.Str text
              ? text.value()
              : "sizes are not what the program takes";
      for (int i = 1; i < operands.size(); i++) {
        String size = String.valueOf(((Literal) operands.get(i)).getLong(0));
        message = message.replace("{" + (i - 1) + "}", size);
      }
      throw DiagnosticException.error("shape-assertion", message, operation.location());
    }
    return ImmutableList.of();
  }
}
