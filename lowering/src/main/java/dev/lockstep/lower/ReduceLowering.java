package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Value;

/** {@code reduce}: an all-reduce, of which all but the destination keep their own operand. */
final class ReduceLowering implements CallLowering {
  @Override
  public ImmutableList<String> targets() {
    return ImmutableList.of("c10d.reduce");
  }

  @Override
  public ImmutableSet<String> entries() {
    return ImmutableSet.of("dst", "reduce_op", "rounding");
  }

  @Override
  public ImmutableList<Value> lower(C10dCall call, CallGroups groups, Scope scope) {
    call.expect(1, 1);
    call.expectResult(0, call.type(0));
    boolean[] destinations =
        groups.atPlace(call.config().perGroup("dst", groups.groups().size()), "dst", call.config());
    Value reduced = scope.reductions().allReduce(call, groups).get(0);
    return ImmutableList.of(scope.ranks().choose(destinations, reduced, call.operands().get(0)));
  }
}
