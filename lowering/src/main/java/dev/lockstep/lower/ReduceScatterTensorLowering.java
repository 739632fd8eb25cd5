package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;

/** {@code reduce_scatter_tensor} and its coalesced form: a reduce-scatter of the rows. */
final class ReduceScatterTensorLowering implements CallLowering {
  @Override
  public ImmutableList<String> targets() {
    return ImmutableList.of(
        "_c10d_functional.reduce_scatter_tensor",
        "_c10d_functional.reduce_scatter_tensor_coalesced");
  }

  @Override
  public ImmutableSet<String> entries() {
    return ImmutableSet.of("reduce_op", "concat", "rounding");
  }

  @Override
  public ImmutableList<Value> lower(C10dCall call, CallGroups groups, Scope scope) {
    int count = call.target().endsWith("coalesced") ? call.operands().size() : 1;
    call.expect(count, count);
    boolean concat = call.config().flagOr("concat", true);
    int size = groups.uniformSize(call.config());
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (int i = 0; i < count; i++) {
      TensorType type = call.type(i);
      call.expectStatic(type);
      long rows = Rows.count(type);
      if (type.rank() == 0 && size > 1 || rows % size != 0 || !concat && rows != size) {
        throw call.error(
            "c10d-type",
            "operand "
                + i
                + " is "
                + type
                + "; its first dimension must be "
                + (concat ? "a multiple of " : "")
                + size
                + ", the size of the group");
      }
      Value mine =
          scope
              .reductions()
              .reduceScatter(Rows.ofScalar(call.operands().get(i), scope.emit()), call, groups);
      TensorType result = Emitter.type(mine);
      if (!concat) {
        result = TensorType.of(type.element(), type.dims().subArray(1, type.rank()));
      } else if (type.rank() == 0) {
        result = type;
      }
      call.expectResult(i, result);
      out.add(scope.emit().reshape(mine, result.dims()));
    }
    return scope.keepOutside(call, groups, out.build());
  }
}
