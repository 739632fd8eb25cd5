package dev.lockstep.hlo.op.control;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.Semantics.Control;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;

/** The custom calls that have a meaning here, by target. */
final class CustomTargets {

  private static final ImmutableMap<String, Semantics> ALL =
      ImmutableMap.<String, Semantics>builder()
          // StableHLO's own tests compare with these.
          .put(
              "check.expect_eq",
              local((op, in) -> Checks.equal(op, literal(in, 0), literal(in, 1))))
          .put(
              "check.expect_almost_eq",
              local(
                  (op, in) ->
                      Checks.almostEqual(
                          op, literal(in, 0), literal(in, 1), Checks.CALL_TOLERANCE)))
          .put(
              "check.expect_close",
              local(
                  (op, in) ->
                      Checks.close(op, literal(in, 0), literal(in, 1), 0, Checks.CALL_ULPS)))
          .put("check.eq", local((op, in) -> Checks.isEqual(literal(in, 0), literal(in, 1))))
          // What jax.export says of sizes that it was not told.
          .put("shape_assertion", local(NamedOps::shapeAssertion))
          // Notes for partitioners and code generators; the value goes through.
          .put("Sharding", Control.FORWARD)
          .put("xla.sdy.FuncResultSharding", Control.FORWARD)
          .put("xla.sdy.PropagationBarrier", Control.FORWARD)
          .put("xla.sdy.ShardingGroup", local((op, in) -> ImmutableList.of()))
          .put("annotate_device_placement", Control.FORWARD)
          .put("AssumeGatherIndicesInBound", Control.FORWARD)
          .put("MoveToDevice", Control.FORWARD)
          .put("MoveToHost", Control.FORWARD)
          .put("PinToDevice", Control.FORWARD)
          .put("PinToDeviceSram", Control.FORWARD)
          .put("Pin", Control.FORWARD)
          .put("Unpin", Control.FORWARD)
          .put("LayoutConstraint", Control.FORWARD)
          .put("optimization_barrier", Control.FORWARD)
          // Between arrays that partitions share and what each holds of them.
          .put("SPMDFullToShardShape", Control.TO_PARTS)
          .put("SPMDShardToFullShape", Control.FROM_PARTS)
          .put("xla.sdy.GlobalToLocalShape", Control.TO_PARTS)
          .put("xla.sdy.LocalToGlobalShape", Control.FROM_PARTS)
          // XLA's CPU and GPU backends call it so once they have rewritten a sort.
          .put("TopK", local(NamedOps::topK))
          // A buffer whose contents nobody may rely on.
          .put("AllocateBuffer", local((op, in) -> zeros(op)))
          .buildOrThrow();

  private CustomTargets() {}

  private static Semantics local(Semantics.Local meaning) {
    return meaning;
  }

  /** Returns what the call that {@code operation} names does. */
  static Semantics meaning(Operation operation) {
    String target = CustomCall.TARGET.getOr(operation, "");
    Semantics meaning = ALL.get(target);
    if (meaning == null) {
      meaning = NamedOps.meaning(operation, target);
    }
    return meaning != null
        ? meaning
        : new Semantics.Unsupported(
            String.format(
                "the code of '%s' with %d operands is not known here%s",
                target, operation.operands().size(), family(target)));
  }

  /** Returns whose code a call wants, as far as its name says. */
  private static String family(String target) {
    if (target.startsWith("lapack_")) {
      return "; it is LAPACK's";
    }
    if (target.startsWith("cu") || target.startsWith("gpu_") || target.startsWith("__cu")) {
      return "; it is a GPU library's";
    }
    return target.startsWith("tpu_") ? "; it runs on a TPU" : "";
  }

  private static Literal literal(ImmutableList<Datum> operands, int index) {
    return (Literal) operands.get(index);
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
