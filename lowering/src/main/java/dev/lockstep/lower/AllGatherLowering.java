package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;

/** {@code all_gather}: all-gather of the rows, cut into one tensor for each member. */
final class AllGatherLowering implements CallLowering {
  @Override
  public ImmutableList<String> targets() {
    return ImmutableList.of("c10d.all_gather");
  }

  @Override
  public ImmutableSet<String> entries() {
    return ImmutableSet.of();
  }

  @Override
  public ImmutableList<Value> lower(C10dCall call, CallGroups groups, Scope scope) {
    return scope.keepOutside(call, groups, gathered(call, groups, scope));
  }

  /** Returns the operand of each member of the group. */
  static ImmutableList<Value> gathered(C10dCall call, CallGroups groups, Scope scope) {
    int size = groups.uniformSize(call.config());
    call.expect(1, size);
    TensorType type = call.type(0);
    for (int i = 0; i < size; i++) {
      call.expectResult(i, type);
    }
    call.expectStatic(type);
    Emitter emit = scope.emit();
    Value rows = Rows.ofScalar(call.operands().get(0), emit);
    Value all = scope.collectives().allGather(rows, groups.completed(true, call.config()));
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (Value part : scope.ranks().split(all, size, Rows.count(type))) {
      out.add(emit.reshape(part, type.dims()));
    }
    return out.build();
  }
}
