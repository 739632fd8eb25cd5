package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.ReducerRule;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;

/** Rules of scan: inputs are walked step by step along a dimension, other values are carried. */
final class ScanRules {
  private ScanRules() {}

  /** All inputs have the dimension, with one size. */
  static void dimension(Operation operation, String code, DiagnosticSink sink) {
    long dim = Scan.DIMENSION.get(operation);
    Attribute given = operation.attribute("scan_dim_size");
    long size =
        given instanceof Attribute.Int ? ((Attribute.Int) given).value() : TensorType.DYNAMIC;
    int inputs = operation.operands().size() - Scan.carries(operation);
    for (int i = 0; i < inputs; i++) {
      if (!(operation.operand(i).type() instanceof TensorType)) {
        continue;
      }
      TensorType type = (TensorType) operation.operand(i).type();
      if (dim < 0 || dim >= type.rank()) {
        error(operation, code, sink, "dimension " + dim + " is not one of input " + type);
        return;
      }
      if (!TensorRule.agree(size, type.dim((int) dim))) {
        error(operation, code, sink, "inputs differ in size along dimension " + dim);
        return;
      }
      size = type.dim((int) dim) == TensorType.DYNAMIC ? size : type.dim((int) dim);
    }
  }

  /** The body takes a step of each input, and what is carried. */
  static void arguments(
      Operation operation, ImmutableList<Block> bodies, String code, DiagnosticSink sink) {
    if (bodies.size() != 1) {
      return;
    }
    long dim = Scan.DIMENSION.get(operation);
    int inputs = operation.operands().size() - Scan.carries(operation);
    ImmutableList<Type> taken = ReducerRule.parameters(bodies.get(0));
    if (taken.size() != operation.operands().size()) {
      error(
          operation,
          code,
          sink,
          String.format(
              "the body takes %d values, must take %d", taken.size(), operation.operands().size()));
      return;
    }
    for (int i = 0; i < taken.size(); i++) {
      Type wanted = operation.operand(i).type();
      if (!(taken.get(i) instanceof TensorType) || !(wanted instanceof TensorType)) {
        continue;
      }
      TensorType step = i < inputs ? without((TensorType) wanted, dim) : (TensorType) wanted;
      if (!TensorRule.agree(step, (TensorType) taken.get(i))) {
        error(
            operation,
            code,
            sink,
            String.format("the body takes %s as value %d, must take %s", taken.get(i), i, step));
        return;
      }
    }
  }

  private static TensorType without(TensorType type, long dim) {
    ImmutableLongArray.Builder dims = ImmutableLongArray.builder();
    for (int d = 0; d < type.rank(); d++) {
      if (d != dim) {
        dims.add(type.dim(d));
      }
    }
    return TensorType.of(type.element(), dims.build());
  }

  /** Outputs are what the body gives at each step, what is carried comes as it leaves the body. */
  static void results(
      Operation operation, ImmutableList<Block> bodies, String code, DiagnosticSink sink) {
    if (bodies.size() != 1) {
      return;
    }
    ImmutableList<Type> given = ReducerRule.given(bodies.get(0));
    ImmutableList<Type> results = Results.types(operation);
    int outputs = results.size() - Scan.carries(operation);
    boolean fits = given.size() == results.size() && outputs >= 0;
    for (int i = 0; fits && i < results.size(); i++) {
      if (results.get(i) instanceof TensorType && given.get(i) instanceof TensorType) {
        TensorType result = (TensorType) results.get(i);
        TensorType step = i < outputs ? without(result, Scan.DIMENSION.get(operation)) : result;
        fits = TensorRule.agree(step, (TensorType) given.get(i));
      }
    }
    if (!fits) {
      error(operation, code, sink, "the body gives " + given + ", results are " + results);
    }
  }

  private static void error(Operation operation, String code, DiagnosticSink sink, String message) {
    sink.error(code, message, operation.location());
  }
}
