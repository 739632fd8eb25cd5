package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Operators that name a dimension of a scalar. torch then takes the scalar for a line of one
 * element; rules need not think of that.
 */
final class ScalarLines {
  private ScalarLines() {}

  /**
   * Returns what {@code op} gives; where it does not take scalars, what it gives for lines of one
   * element.
   *
   * @throws IndexOutOfBoundsException when it takes neither
   */
  static Arg apply(AtenOp op, AtenCall call, Tensors t) {
    ImmutableList<Operation> before = t.builder().take();
    Arg result;
    try {
      result = op.rule().lower(call, t);
    } catch (IndexOutOfBoundsException e) {
      t.builder().take();
      AtenCall lines = lines(call, t);
      if (lines == null) {
        throw e;
      }
      result = scalars(op.rule().lower(lines, t), t);
    }
    ImmutableList<Operation> built = t.builder().take();
    before.forEach(t.builder()::add);
    built.forEach(t.builder()::add);
    return result;
  }

  private static @Nullable AtenCall lines(AtenCall call, Tensors t) {
    boolean dimension =
        call.arguments().containsKey("dim") || call.arguments().containsKey("dimension");
    if (!dimension
        || !(call.arguments().get("self") instanceof Arg.Tensor self)
        || self.type().rank() > 0) {
      return null;
    }
    Map<String, Arg> changed = new LinkedHashMap<>();
    call.arguments()
        .forEach(
            (name, value) -> {
              boolean scalar = value instanceof Arg.Tensor tensor && tensor.type().rank() == 0;
              changed.put(
                  name,
                  scalar && !name.equals("value")
                      ? Arg.of(t.reshape(((Arg.Tensor) value).value(), 1))
                      : value);
            });
    AtenCall out = call;
    for (Map.Entry<String, Arg> each : changed.entrySet()) {
      out = out.with(each.getKey(), each.getValue());
    }
    return out;
  }

  /** Returns results without the dimension that a scalar does not have. */
  private static Arg scalars(Arg result, Tensors t) {
    if (result instanceof Arg.Items items) {
      return Arg.items(items.elements().stream().map(element -> scalars(element, t)).toList());
    }
    if (!(result instanceof Arg.Tensor tensor) || tensor.type().rank() == 0) {
      return result;
    }
    Value value = tensor.value();
    long[] dims = Tensors.dims(value);
    return Arg.of(t.reshape(value, Arrays.copyOfRange(dims, 1, dims.length)));
  }
}
