package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;

/**
 * {@code all_gather_into_tensor} and its coalesced form: all-gather of the rows. The stacked form
 * gets its new dimension before the all-gather, where it is a free reshape.
 */
final class AllGatherIntoTensorLowering implements CallLowering {
  @Override
  public ImmutableList<String> targets() {
    return ImmutableList.of(
        "_c10d_functional.all_gather_into_tensor",
        "_c10d_functional.all_gather_into_tensor_coalesced");
  }

  @Override
  public ImmutableSet<String> entries() {
    return ImmutableSet.of("concat");
  }

  @Override
  public ImmutableList<Value> lower(C10dCall call, CallGroups groups, Scope scope) {
    int count = call.target().endsWith("coalesced") ? call.operands().size() : 1;
    call.expect(count, count);
    boolean concat = call.config().flagOr("concat", true);
    int size = groups.uniformSize(call.config());
    Emitter emit = scope.emit();
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (int i = 0; i < count; i++) {
      Value operand = call.operands().get(i);
      TensorType type = call.type(i);
      Value rows = concat ? Rows.ofScalar(operand, emit) : Rows.stacked(operand, emit);
      TensorType rowsType = Emitter.type(rows);
      call.expectResult(i, Rows.withRows(rowsType, rowsType.dim(0) * size));
      call.expectStatic(type);
      out.add(scope.collectives().allGather(rows, groups.completed(true, call.config())));
    }
    return scope.keepOutside(call, groups, out.build());
  }
}
