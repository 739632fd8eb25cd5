package dev.lockstep.pass.region.split;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Operation;
import java.util.Map;
import java.util.Set;

/** HLO's {@code control-predecessors}, which name instructions that must run before. */
final class ControlNames {
  static final String ATTRIBUTE = "control-predecessors";

  private ControlNames() {}

  /** Returns {@code operation} with the names in {@code names} replaced. */
  static Operation renamed(Operation operation, Map<String, String> names) {
    ImmutableList.Builder<Attribute> out = ImmutableList.builder();
    for (Attribute element : elements(operation)) {
      String name = element instanceof Attribute.Symbol symbol ? names.get(symbol.name()) : null;
      out.add(name == null ? element : Attribute.Symbol.of(name));
    }
    return with(operation, out.build());
  }

  /**
   * Returns {@code operation} with only those predecessors that stand in {@code present}: the
   * others run in an earlier segment, and so before.
   */
  static Operation within(Operation operation, Set<String> present) {
    ImmutableList<Attribute> all = elements(operation);
    ImmutableList<Attribute> kept =
        all.stream()
            .filter(
                element ->
                    element instanceof Attribute.Symbol symbol && present.contains(symbol.name()))
            .collect(ImmutableList.toImmutableList());
    return kept.size() == all.size() ? operation : with(operation, kept);
  }

  private static ImmutableList<Attribute> elements(Operation operation) {
    return operation.attribute(ATTRIBUTE) instanceof Attribute.Array list
        ? list.elements()
        : ImmutableList.of();
  }

  private static Operation with(Operation operation, ImmutableList<Attribute> elements) {
    return operation.withAttributes(
        elements.isEmpty()
            ? operation.attributes().without(ATTRIBUTE)
            : operation.attributes().with(ATTRIBUTE, new Attribute.Array(elements)));
  }
}
