package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Value;

/** {@code all_reduce} and {@code all_reduce_coalesced}: all-reduce. */
final class AllReduceLowering implements CallLowering {
  @Override
  public ImmutableList<String> targets() {
    return ImmutableList.of("_c10d_functional.all_reduce", "_c10d_functional.all_reduce_coalesced");
  }

  @Override
  public ImmutableSet<String> entries() {
    return ImmutableSet.of("reduce_op", "rounding");
  }

  @Override
  public ImmutableList<Value> lower(C10dCall call, CallGroups groups, Scope scope) {
    int count = call.target().endsWith("coalesced") ? call.operands().size() : 1;
    call.expect(count, count);
    for (int i = 0; i < count; i++) {
      call.expectResult(i, call.type(i));
    }
    return scope.reductions().allReduce(call, groups);
  }
}
