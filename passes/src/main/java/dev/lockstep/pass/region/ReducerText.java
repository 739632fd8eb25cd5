package dev.lockstep.pass.region;

import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import java.util.IdentityHashMap;
import java.util.Map;

/** A reducer as text in which the names of values do not matter. */
final class ReducerText {
  private final Map<Value, Integer> numbers = new IdentityHashMap<>();

  private ReducerText() {}

  /** Returns the text of {@code body}. */
  static String of(Block body) {
    ReducerText text = new ReducerText();
    StringBuilder out = new StringBuilder("(");
    for (Value parameter : Function.parametersOf(body)) {
      out.append(text.number(parameter)).append(": ").append(parameter.type()).append(' ');
    }
    out.append(')');
    for (Operation operation : body.operations()) {
      if (operation.is(BuiltinOps.PARAMETER) || operation.def().isTerminator()) {
        continue;
      }
      out.append(' ').append(operation.def().name()).append('(');
      operation.operands().forEach(value -> out.append(text.number(value)).append(' '));
      out.append(')').append(operation.attributes());
      operation.results().forEach(value -> out.append(' ').append(text.number(value)));
    }
    out.append(" gives");
    body.returned().forEach(value -> out.append(' ').append(text.number(value)));
    return out.toString();
  }

  private int number(Value value) {
    int next = numbers.size();
    return numbers.computeIfAbsent(value, unused -> next);
  }
}
