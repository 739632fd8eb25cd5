package dev.lockstep.lower;

import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;

/** Which functions a program can run. */
final class Reach {
  private Reach() {}

  /** Returns the names of the functions that the entry leads to, itself first; none without one. */
  static ImmutableSet<String> functions(Module module) {
    Set<String> reached = new LinkedHashSet<>();
    Deque<Function> open = new ArrayDeque<>();
    module.entryFunction().ifPresent(open::add);
    while (!open.isEmpty()) {
      Function function = open.remove();
      if (reached.add(function.name()) && !function.isDeclaration()) {
        Set<String> callees = new LinkedHashSet<>();
        function.operation().walk(operation -> collect(operation, callees));
        callees.forEach(name -> module.function(name).ifPresent(open::add));
      }
    }
    return ImmutableSet.copyOf(reached);
  }

  private static void collect(Operation operation, Set<String> callees) {
    callees.addAll(Bodies.callees(operation));
    for (int i = 0; i < operation.attributes().size(); i++) {
      if (operation.attributes().value(i) instanceof Attribute.Symbol symbol) {
        callees.add(symbol.name());
      }
    }
  }
}
