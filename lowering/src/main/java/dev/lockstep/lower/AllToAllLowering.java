package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;

/** {@code all_to_all} of lists: the tensors joined, one all-to-all, and cut again. */
final class AllToAllLowering implements CallLowering {
  @Override
  public ImmutableList<String> targets() {
    return ImmutableList.of("c10d.all_to_all");
  }

  @Override
  public ImmutableSet<String> entries() {
    return ImmutableSet.of();
  }

  @Override
  public ImmutableList<Value> lower(C10dCall call, CallGroups groups, Scope scope) {
    int size = groups.uniformSize(call.config());
    call.expect(size, size);
    call.expectEqualOperands();
    TensorType type = call.type(0);
    call.expectStatic(type);
    for (int i = 0; i < size; i++) {
      call.expectResult(i, type);
    }
    Value rows = ScatterLowering.joinedRows(call, scope);
    Value got = scope.collectives().allToAll(rows, groups.completed(true, call.config()));
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (Value part : scope.ranks().split(got, size, Rows.count(type))) {
      out.add(scope.emit().reshape(part, type.dims()));
    }
    return scope.keepOutside(call, groups, out.build());
  }
}
