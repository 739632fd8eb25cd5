package dev.lockstep.lower;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.analysis.DistributedCall;

/** Recognises torch.distributed calls and reads their configs, in either syntax. */
final class CallReader {
  /** The calls that are lowered one by one, where they stand. */
  static final ImmutableMap<String, CallLowering> LOWERINGS =
      index(
          ImmutableList.of(
              new AllReduceLowering(),
              new AllGatherIntoTensorLowering(),
              new AllGatherLowering(),
              new AllToAllLowering(),
              new AllToAllSingleLowering(),
              new BarrierLowering(),
              new BroadcastLowering(),
              new GatherLowering(),
              new PermuteTensorLowering(),
              new ReduceLowering(),
              new ReduceScatterLowering(),
              new ReduceScatterTensorLowering(),
              new ScatterLowering(),
              new WaitTensorLowering()));

  private CallReader() {}

  private static ImmutableMap<String, CallLowering> index(ImmutableList<CallLowering> all) {
    ImmutableMap.Builder<String, CallLowering> out = ImmutableMap.builder();
    for (CallLowering lowering : all) {
      lowering.targets().forEach(target -> out.put(target, lowering));
    }
    return out.buildOrThrow();
  }

  /** Returns whether {@code operation} is a torch.distributed call, known or not. */
  static boolean isCall(Operation operation) {
    return DistributedCall.target(operation) != null;
  }

  /**
   * Returns the config of {@code operation}, which {@link #isCall}.
   *
   * @throws DiagnosticException if nobody lowers such a call, or it has no dictionary
   */
  static CallConfig config(Operation operation) {
    String target = requireNonNull(DistributedCall.target(operation));
    if (!LOWERINGS.containsKey(target) && !P2pCalls.isTarget(target)) {
      throw DiagnosticException.error(
          "c10d-unknown", "no lowering is known for " + target, operation.location());
    }
    return new CallConfig(target, DistributedCall.entries(operation), operation.location());
  }

  /** Returns the types that a call gives back, without HLO's tuple. */
  static ImmutableList<TensorType> results(Operation operation, CallConfig config) {
    ImmutableList<Type> types = operation.resultTypes();
    if (types.size() == 1 && types.get(0) instanceof TupleType) {
      types = ((TupleType) types.get(0)).elements();
    }
    return tensors(types, "result", config);
  }

  /** Checks that all {@code types} are tensors. */
  static ImmutableList<TensorType> tensors(
      ImmutableList<Type> types, String what, CallConfig config) {
    ImmutableList.Builder<TensorType> out = ImmutableList.builder();
    for (int i = 0; i < types.size(); i++) {
      if (!(types.get(i) instanceof TensorType)) {
        throw config.error(
            "c10d-type", what + " " + i + " is " + types.get(i) + ", expected a tensor");
      }
      out.add((TensorType) types.get(i));
    }
    return out.build();
  }
}
