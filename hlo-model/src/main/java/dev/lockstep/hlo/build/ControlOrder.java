package dev.lockstep.hlo.build;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Operation;
import java.util.List;
import java.util.Map;

/**
 * HLO's {@code control-predecessors}, which name instructions instead of using their values and so
 * must be told when an instruction is replaced.
 */
final class ControlOrder {
  private static final String CONTROL_PREDECESSORS = "control-predecessors";

  private ControlOrder() {}

  /** Returns the operations with names in their control predecessors replaced. */
  static ImmutableList<Operation> renamed(List<Operation> operations, Map<String, String> names) {
    if (names.isEmpty()) {
      return ImmutableList.copyOf(operations);
    }
    ImmutableList.Builder<Operation> out = ImmutableList.builder();
    for (Operation operation : operations) {
      Attribute value = operation.attribute(CONTROL_PREDECESSORS);
      out.add(
          value instanceof Attribute.Array list
              ? operation.withAttributes(
                  operation.attributes().with(CONTROL_PREDECESSORS, renamed(list, names)))
              : operation);
    }
    return out.build();
  }

  private static Attribute renamed(Attribute.Array list, Map<String, String> names) {
    ImmutableList.Builder<Attribute> out = ImmutableList.builder();
    for (Attribute element : list.elements()) {
      String name = element instanceof Attribute.Symbol symbol ? names.get(symbol.name()) : null;
      out.add(name == null ? element : Attribute.Symbol.of(name));
    }
    return new Attribute.Array(out.build());
  }
}
