package dev.lockstep.lower.fx.graph;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.lower.fx.aten.Arg;
import dev.lockstep.lower.fx.aten.Mutations;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes to tensors in a graph. A tensor of the graph's own may be written to, also through views.
 * An input may not, except where the user wants the new values as results: then each input that was
 * written to gives one more result, which aliases it.
 */
final class Writes implements Mutations {
  /** Diagnostic code: a graph writes to its input. */
  static final String INPUT = "fx-mutation";

  /** Diagnostic code: a write goes through a view that cannot be written through. */
  static final String ALIAS = "fx-alias";

  private final boolean inputsAllowed;
  private final Map<Arg.Tensor, Value> originals = new LinkedHashMap<>();

  Writes(boolean inputsAllowed) {
    this.inputsAllowed = inputsAllowed;
  }

  @Override
  public void write(Arg.Tensor tensor, Value value, String operator, Location location) {
    String parameter = tensor.parameter();
    if (parameter != null && !inputsAllowed) {
      throw DiagnosticException.error(
          INPUT,
          operator
              + " writes to the input '"
              + parameter
              + "'; give --mutated-inputs to have what it holds at the end as a further result",
          location);
    }
    if (parameter != null) {
      originals.putIfAbsent(tensor.root(), tensor.root().value());
    }
    if (!tensor.set(value)) {
      throw DiagnosticException.error(
          ALIAS,
          operator
              + " writes through a view that is not written through here; print the graph after"
              + " functionalization (torch.func.functionalize, or what AOTAutograd logs)",
          location);
    }
  }

  /** Returns what the inputs that were written to hold at the end. */
  ImmutableList<Value> results() {
    return originals.keySet().stream()
        .map(Arg.Tensor::value)
        .collect(ImmutableList.toImmutableList());
  }

  /** Returns which argument aliases which result, from {@code first} on; null when none does. */
  @Nullable Attribute argumentAttributes(ImmutableList<Value> arguments, int first) {
    if (originals.isEmpty()) {
      return null;
    }
    Map<Value, Integer> results = new LinkedHashMap<>();
    int next = first;
    for (Value original : originals.values()) {
      results.put(original, next++);
    }
    ImmutableList.Builder<Attribute> out = ImmutableList.builder();
    for (Value argument : arguments) {
      Integer result = results.get(argument);
      out.add(
          new Attribute.Dict(
              result == null
                  ? Attributes.EMPTY
                  : Attributes.of("tf.aliasing_output", Attribute.Int.i32(result))));
    }
    return new Attribute.Array(out.build());
  }
}
