package dev.lockstep.hlo.op.collective;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.Surroundings;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.Type;

/**
 * Rules about tokens and channels of what leaves a device. HLO packs results in tuples of its own
 * and writes no type of a channel, so that most of these look at MLIR only.
 */
final class TransferRules {
  private static final long DEVICE_TO_DEVICE = 1;
  private static final AttrKey<Long> CHANNEL_TYPE = AttrKeys.integer("channel_handle.type", "");

  private TransferRules() {}

  /** Data stays among devices unless it is for the host, for which the channel has {@code type}. */
  static Constraint.Check channel(AttrKey<Boolean> toHost, long type) {
    return (operation, code, sink) -> {
      Attribute written = CHANNEL_TYPE.raw(operation);
      Long got = written == null ? null : AttrKeys.asLong(written);
      boolean host = toHost.getOr(operation, false);
      long wanted = host ? type : DEVICE_TO_DEVICE;
      if (got != null && got != wanted) {
        error(
            operation,
            code,
            sink,
            String.format(
                "the type of the channel is %d, must be %d when is_host_transfer is %s",
                got, wanted, host));
      }
    };
  }

  /** Where pairs are written, they satisfy {@code rule}. */
  static Constraint.Check pairs(Constraint.Check rule) {
    return (operation, code, sink) -> {
      if (Collectives.PAIRS.raw(operation) != null) {
        rule.check(operation, code, sink);
      }
    };
  }

  /** The last operand is a token, those before it are tensors. */
  static void operands(Operation operation, Surroundings around, String code, DiagnosticSink sink) {
    if (!around.isHlo() && !isTensorsAndToken(operation.operandTypes())) {
      error(operation, code, sink, "takes tensors and a token, not " + operation.operandTypes());
    }
  }

  /** There is a result at least. */
  static Constraint.ModuleCheck someResult() {
    return (operation, around, code, sink) -> {
      if (!around.isHlo() && operation.results().isEmpty()) {
        error(operation, code, sink, "there is no result, must be a token at least");
      }
    };
  }

  /** The last result is a token, those before it are static tensors. */
  static Constraint.ModuleCheck results() {
    return (operation, around, code, sink) -> {
      if (!around.isHlo()
          && !operation.results().isEmpty()
          && !isTensorsAndToken(operation.resultTypes())) {
        error(operation, code, sink, "gives tensors and a token, not " + operation.resultTypes());
      }
    };
  }

  private static boolean isTensorsAndToken(ImmutableList<Type> types) {
    for (int i = 0; i < types.size() - 1; i++) {
      if (!TypeClass.TENSOR.orPerAxis().admits(types.get(i))) {
        return false;
      }
    }
    return !types.isEmpty() && types.get(types.size() - 1) instanceof TokenType;
  }

  /** There is a list of dimensions for each tensor that comes in. */
  static Constraint.ModuleCheck layout() {
    return (operation, around, code, sink) -> {
      Attribute layout = operation.attribute("layout");
      if (layout == null || around.isHlo()) {
        return;
      }
      ImmutableList<Attribute> rows =
          layout instanceof Attribute.Array
              ? ((Attribute.Array) layout).elements()
              : ImmutableList.of();
      boolean isEmpty =
          layout instanceof Attribute.Longs && ((Attribute.Longs) layout).values().isEmpty();
      if (!(layout instanceof Attribute.Array) && !isEmpty) {
        error(operation, code, sink, "layout must be a list of lists of dimensions");
      } else if (rows.size() != operation.results().size() - 1) {
        error(
            operation,
            code,
            sink,
            rows.size() + " layouts for " + (operation.results().size() - 1) + " tensors");
      } else if (!rows.stream().allMatch(TransferRules::isList)) {
        error(operation, code, sink, "a layout must be a list of dimensions");
      }
    };
  }

  private static boolean isList(Attribute row) {
    return row instanceof Attribute.Longs
        || row instanceof Attribute.Array
            && ((Attribute.Array) row)
                .elements().stream().allMatch(entry -> AttrKeys.asLong(entry) != null);
  }

  private static void error(Operation operation, String code, DiagnosticSink sink, String message) {
    sink.error(code, message, operation.location());
  }
}
