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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes to tensors in a graph. A tensor of the graph's own may be written to where nothing else
 * that is used later shares its memory. An input may not, except where the user wants the new values
 * as results: then each input that was written to gives one more result, which aliases it.
 */
final class Writes implements Mutations {
  /** Diagnostic code: a graph writes to its input. */
  static final String INPUT = "fx-mutation";

  /** Diagnostic code: a write would be seen through another tensor. */
  static final String ALIAS = "fx-alias";

  private final Names names;
  private final boolean inputsAllowed;
  private final Map<Arg.Tensor, Value> written = new LinkedHashMap<>();
  private final Map<Arg.Tensor, Value> originals = new LinkedHashMap<>();
  private int statement;

  Writes(Names names, boolean inputsAllowed) {
    this.names = names;
    this.inputsAllowed = inputsAllowed;
  }

  /** Says which statement is read. */
  void at(int place) {
    statement = place;
  }

  @Override
  public void write(Arg.Tensor tensor, Value value, String operator, Location location) {
    String parameter = tensor.root().parameter();
    if (parameter != null && !inputsAllowed) {
      throw DiagnosticException.error(
          INPUT,
          operator
              + " writes to the input '"
              + parameter
              + "'; give --mutated-inputs to have what it holds at the end as a further result",
          location);
    }
    String other = names.sharedAfter(tensor, statement);
    boolean hiddenBase = tensor.root() != tensor && parameter != null;
    if (other != null || hiddenBase) {
      throw DiagnosticException.error(
          ALIAS,
          operator
              + " writes to memory that '"
              + (other != null ? other : parameter)
              + "' shares; print the graph after functionalization (torch.func.functionalize, or"
              + " what AOTAutograd logs)",
          location);
    }
    if (parameter != null) {
      originals.putIfAbsent(tensor, tensor.value());
      written.put(tensor, value);
    }
    tensor.set(value);
  }

  /** Returns what the inputs that were written to hold at the end. */
  List<Value> results() {
    return ImmutableList.copyOf(written.values());
  }

  /** Returns which argument aliases which result, from {@code first} on; null when none does. */
  @Nullable Attribute argumentAttributes(ImmutableList<Value> arguments, int first) {
    if (written.isEmpty()) {
      return null;
    }
    Map<Value, Integer> results = new LinkedHashMap<>();
    int next = first;
    for (Arg.Tensor tensor : written.keySet()) {
      results.put(Objects.requireNonNull(originals.get(tensor)), next++);
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
