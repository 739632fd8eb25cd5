package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/**
 * {@code barrier}: an all-reduce of one element that nobody uses. Clean-up keeps it because every
 * rank waits in it, which is all that a barrier means.
 */
final class BarrierLowering implements CallLowering {
  @Override
  public ImmutableList<String> targets() {
    return ImmutableList.of("c10d.barrier");
  }

  @Override
  public ImmutableSet<String> entries() {
    return ImmutableSet.of();
  }

  @Override
  public ImmutableList<Value> lower(C10dCall call, CallGroups groups, Scope scope) {
    call.expect(0, 0);
    Value one = scope.emit().constant(Literal.splatOf(TensorType.of(ElementType.I32, 1), 1L));
    scope
        .collectives()
        .allReduce(
            ImmutableList.of(one), ReductionKind.ADD, groups.completed(false, call.config()));
    return ImmutableList.of();
  }
}
