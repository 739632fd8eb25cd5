package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Value;

/** {@code reduce_scatter} of a list: a reduce-scatter of the joined tensors. */
final class ReduceScatterLowering implements CallLowering {
  @Override
  public ImmutableList<String> targets() {
    return ImmutableList.of("c10d.reduce_scatter");
  }

  @Override
  public ImmutableSet<String> entries() {
    return ImmutableSet.of("reduce_op", "rounding");
  }

  @Override
  public ImmutableList<Value> lower(C10dCall call, CallGroups groups, Scope scope) {
    Value rows = ScatterLowering.joined(call, groups, scope);
    Value mine = scope.reductions().reduceScatter(rows, call, groups);
    return scope.keepOutside(
        call, groups, ImmutableList.of(scope.emit().reshape(mine, call.type(0).dims())));
  }
}
