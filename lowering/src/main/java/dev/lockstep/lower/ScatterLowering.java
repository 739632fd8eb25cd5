package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Value;

/**
 * {@code scatter}: a reduce-scatter of the joined tensors, to which only the source gives other
 * than zeros.
 */
final class ScatterLowering implements CallLowering {
  @Override
  public ImmutableList<String> targets() {
    return ImmutableList.of("c10d.scatter");
  }

  @Override
  public ImmutableSet<String> entries() {
    return ImmutableSet.of("src");
  }

  @Override
  public ImmutableList<Value> lower(C10dCall call, CallGroups groups, Scope scope) {
    Value rows = joined(call, groups, scope);
    boolean[] sources =
        groups.atPlace(call.config().perGroup("src", groups.groups().size()), "src", call.config());
    Value mine = scope.exact().reduceScatter(rows, sources, groups.completed(true, call.config()));
    return scope.keepOutside(
        call, groups, ImmutableList.of(scope.emit().reshape(mine, call.type(0).dims())));
  }

  /** Returns the rows of all operands, one for each member, checked for a result like the first. */
  static Value joined(C10dCall call, CallGroups groups, Scope scope) {
    call.expect(groups.uniformSize(call.config()), 1);
    call.expectEqualOperands();
    call.expectResult(0, call.type(0));
    call.expectStatic(call.type(0));
    return joinedRows(call, scope);
  }

  /** Returns the rows of all operands. */
  static Value joinedRows(C10dCall call, Scope scope) {
    ImmutableList.Builder<Value> parts = ImmutableList.builder();
    for (Value operand : call.operands()) {
      parts.add(Rows.ofScalar(operand, scope.emit()));
    }
    return scope.emit().concatenate(parts.build());
  }
}
