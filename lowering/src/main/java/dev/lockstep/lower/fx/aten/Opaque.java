package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps an operator that is not known: a custom call of its name, whose operands are the tensors
 * among its arguments and whose config says all arguments in torch's order, tensors as {@code %0}.
 * It counts as having an effect, so that no pass drops, merges or moves it.
 */
final class Opaque {
  private Opaque() {}

  static ImmutableList<Value> keep(OpBuilder builder, Operators.Call call, Outcome outcome) {
    List<Value> operands = new ArrayList<>();
    StringBuilder text = new StringBuilder("(");
    for (Arg argument : call.arguments()) {
      text.append(text.length() == 1 ? "" : ", ");
      write(argument, operands, text);
    }
    call.keywords()
        .forEach(
            (name, value) -> {
              text.append(text.length() == 1 ? "" : ", ").append(name).append("=");
              write(value, operands, text);
            });
    Attributes config = Attributes.of("arguments", Attribute.Str.of(text.append(')').toString()));
    return builder.customCall(
        call.target(),
        operands,
        outcome.types(),
        true,
        Attributes.of(
            "api_version", Attribute.Int.i32(4), "backend_config", new Attribute.Dict(config)));
  }

  private static void write(Arg argument, List<Value> operands, StringBuilder text) {
    if (argument instanceof Arg.Tensor tensor) {
      text.append('%').append(operands.size());
      operands.add(tensor.value());
    } else if (argument instanceof Arg.Items items) {
      text.append('[');
      String separator = "";
      for (Arg element : items.elements()) {
        text.append(separator);
        write(element, operands, text);
        separator = ", ";
      }
      text.append(']');
    } else {
      text.append(argument.describe());
    }
  }
}
