package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.type.OpaqueType;
import dev.lockstep.hlo.type.QuantizedTensor;
import dev.lockstep.hlo.type.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operations on quantised tensors: what operands stand for is computed with, and results are
 * quantised again.
 *
 * <p>The specification defines most such operations that way ({@code dequantize_op_quantize});
 * where it computes on integers ({@code dot_general}, {@code convolution}), that is the same but
 * for rounding. Values between operations are what is stored. Source: StableHLO specification
 * "Quantized types" and "Quantization computations".
 */
final class Quantized {
  private final Operation plain;
  private final ImmutableList<Type> operandTypes;
  private final ImmutableList<Type> resultTypes;

  private Quantized(Operation operation) {
    this.operandTypes = operation.operandTypes();
    this.resultTypes = operation.resultTypes();
    this.plain =
        operation
            .withOperands(plain(operation.operands(), operation))
            .withResults(plain(operation.results(), operation));
  }

  /** Returns how {@code operation} is computed, or null when nothing about it is quantised. */
  static @Nullable Quantized of(Operation operation) {
    boolean found =
        operation.operands().stream().anyMatch(value -> isQuantized(value.type()))
            || operation.results().stream().anyMatch(value -> isQuantized(value.type()));
    return found ? new Quantized(operation) : null;
  }

  static boolean isQuantized(Type type) {
    return type instanceof OpaqueType && type.toString().contains("!quant.");
  }

  private static ImmutableList<Value> plain(ImmutableList<Value> values, Operation operation) {
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (Value value : values) {
      if (!isQuantized(value.type())) {
        out.add(value);
        continue;
      }
      QuantizedTensor type = QuantizedTensor.of(value.type());
      if (type == null) {
        throw DiagnosticException.error(
            "unsupported-op",
            operation.def().name()
                + " cannot be run here: only static tensors that are quantised as a whole or along"
                + " an axis can, not "
                + value.type(),
            operation.location());
      }
      out.add(new Value(type.meant(), value.name()));
    }
    return out.build();
  }

  /** Returns the operation with the types of what its values stand for. */
  Operation plain() {
    return plain;
  }

  /** Returns what {@code operands} stand for. */
  ImmutableList<Datum> operands(ImmutableList<Datum> operands) {
    return convert(operands, operandTypes, Quantized::dequantize);
  }

  /** Returns what is stored for {@code results}. */
  ImmutableList<Datum> results(ImmutableList<Datum> results) {
    return convert(results, resultTypes, Quantized::quantize);
  }

  /** Returns a runner that gives bodies what they store, and takes what their results stand for. */
  Semantics.BodyRunner bodies(Semantics.BodyRunner stored) {
    return new Semantics.BodyRunner() {
      @Override
      public ImmutableList<Datum> run(int index, ImmutableList<Datum> arguments) {
        Block block = stored.body(index);
        List<Type> parameters = Function.parametersOf(block).stream().map(Value::type).toList();
        List<Type> returned = block.returned().stream().map(Value::type).toList();
        return convert(
            stored.run(index, convert(arguments, parameters, Quantized::quantize)),
            returned,
            Quantized::dequantize);
      }

      @Override
      public Block body(int index) {
        return stored.body(index);
      }
    };
  }

  private interface Conversion {
    Literal convert(Literal value, QuantizedTensor type);
  }

  private static ImmutableList<Datum> convert(
      ImmutableList<Datum> values, List<Type> types, Conversion conversion) {
    ImmutableList.Builder<Datum> out = ImmutableList.builder();
    for (int i = 0; i < values.size(); i++) {
      QuantizedTensor type = i < types.size() ? QuantizedTensor.of(types.get(i)) : null;
      out.add(
          type == null || !(values.get(i) instanceof Literal)
              ? values.get(i)
              : conversion.convert((Literal) values.get(i), type));
    }
    return out.build();
  }

  private static Literal dequantize(Literal value, QuantizedTensor type) {
    LiteralBuilder out = new LiteralBuilder(value.type().withElement(type.expressed()));
    boolean narrow = type.expressed().bits() <= 32;
    for (int i = 0; i < value.count(); i++) {
      double difference = value.getLong(i) - (double) type.zeroPoint(i);
      double scale = type.scale(i);
      out.setDouble(i, narrow ? (float) difference * (float) scale : difference * scale);
    }
    return out.build();
  }

  private static Literal quantize(Literal value, QuantizedTensor type) {
    if (value.element() == type.storage()) {
      // A constant, which says what is stored.
      return value;
    }
    LiteralBuilder out = new LiteralBuilder(value.type().withElement(type.storage()));
    boolean narrow = type.expressed().bits() <= 32;
    for (int i = 0; i < value.count(); i++) {
      double number = value.getDouble(i);
      double scale = type.scale(i);
      double steps = narrow ? (float) number / (float) scale : number / scale;
      double rounded = Math.rint(steps) + type.zeroPoint(i);
      out.setLong(i, (long) Math.max((double) type.min(), Math.min((double) type.max(), rounded)));
    }
    return out.build();
  }
}
