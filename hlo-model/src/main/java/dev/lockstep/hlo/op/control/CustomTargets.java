package dev.lockstep.hlo.op.control;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;

/** The custom calls that have a meaning here, by target. */
final class CustomTargets {

  private static final ImmutableMap<String, Semantics.Local> ALL =
      ImmutableMap.<String, Semantics.Local>builder()
          // StableHLO's own tests compare with these.
          .put("check.expect_eq", (op, in) -> Checks.equal(op, literal(in, 0), literal(in, 1)))
          .put(
              "check.expect_almost_eq",
              (op, in) ->
                  Checks.almostEqual(op, literal(in, 0), literal(in, 1), Checks.CALL_TOLERANCE))
          .put(
              "check.expect_close",
              (op, in) -> Checks.close(op, literal(in, 0), literal(in, 1), 0, Checks.CALL_ULPS))
          .put("check.eq", (op, in) -> Checks.isEqual(literal(in, 0), literal(in, 1)))
          // Notes for partitioners and code generators; the value goes through.
          .put("Sharding", CustomTargets::forward)
          .put("annotate_device_placement", CustomTargets::forward)
          .put("AssumeGatherIndicesInBound", CustomTargets::forward)
          .put("MoveToDevice", CustomTargets::forward)
          .put("MoveToHost", CustomTargets::forward)
          .put("PinToDevice", CustomTargets::forward)
          .put("LayoutConstraint", CustomTargets::forward)
          // A buffer whose contents nobody may rely on.
          .put("AllocateBuffer", (op, in) -> zeros(op))
          .buildOrThrow();

  private CustomTargets() {}

  /** Runs the call that {@code operation} names. */
  static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    String target = CustomCall.TARGET.get(operation);
    Semantics.Local meaning = ALL.get(target);
    return meaning == null ? unknown(operation, operands) : meaning.eval(operation, operands);
  }

  private static ImmutableList<Datum> unknown(Operation operation, ImmutableList<Datum> operands) {
    throw DiagnosticException.error(
        "unsupported-op",
        String.format(
            "custom call of '%s' with %d operands cannot be run: its code is not known here",
            CustomCall.TARGET.get(operation), operands.size()),
        operation.location());
  }

  private static Literal literal(ImmutableList<Datum> operands, int index) {
    return (Literal) operands.get(index);
  }

  private static ImmutableList<Datum> forward(Operation operation, ImmutableList<Datum> operands) {
    return operands;
  }

  private static ImmutableList<Datum> zeros(Operation operation) {
    ImmutableList.Builder<Datum> out = ImmutableList.builder();
    for (Type type : operation.resultTypes()) {
      out.add(zero(type));
    }
    return out.build();
  }

  private static Datum zero(Type type) {
    return type instanceof TupleType
        ? new Datum.Tuple(
            ((TupleType) type)
                .elements().stream()
                    .map(CustomTargets::zero)
                    .collect(ImmutableList.toImmutableList()))
        : Literal.zeros((TensorType) type);
  }
}
