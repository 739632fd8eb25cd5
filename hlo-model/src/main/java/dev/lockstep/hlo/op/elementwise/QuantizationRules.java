package dev.lockstep.hlo.op.elementwise;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.QuantizedTensor;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import org.jspecify.annotations.Nullable;

/** What the two changes between numbers and quantized numbers keep, where types are static. */
final class QuantizationRules {
  private QuantizationRules() {}

  static void shapes(Operation operation, String code, DiagnosticSink sink) {
    ImmutableLongArray from = dims(operation.operandTypes().get(0));
    ImmutableLongArray to = dims(operation.resultTypes().get(0));
    if (from != null && to != null && !from.equals(to)) {
      sink.error(
          code, "the operand has the shape " + from + ", the result " + to, operation.location());
    }
  }

  static void numbers(Operation operation, String code, DiagnosticSink sink) {
    ElementType from = meant(operation.operandTypes().get(0));
    ElementType to = meant(operation.resultTypes().get(0));
    if (from != null && to != null && from != to) {
      sink.error(
          code, "the operand stands for " + from + ", the result for " + to, operation.location());
    }
  }

  private static @Nullable ImmutableLongArray dims(Type type) {
    QuantizedTensor quantized = QuantizedTensor.of(type);
    if (quantized != null) {
      return quantized.dims();
    }
    return type instanceof TensorType tensor && tensor.isStatic() ? tensor.dims() : null;
  }

  /** Returns the elements, or for quantized ones what they stand for. */
  private static @Nullable ElementType meant(Type type) {
    QuantizedTensor quantized = QuantizedTensor.of(type);
    if (quantized != null) {
      return quantized.expressed();
    }
    return type instanceof TensorType tensor ? tensor.element() : null;
  }
}
