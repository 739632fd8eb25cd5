package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;
import java.util.Arrays;

/** {@code permute_tensor}: collective-permute; ranks that nothing reaches get zeros. */
final class PermuteTensorLowering implements CallLowering {
  @Override
  public ImmutableList<String> targets() {
    return ImmutableList.of("c10d.permute_tensor");
  }

  @Override
  public ImmutableSet<String> entries() {
    return ImmutableSet.of("src_dst");
  }

  @Override
  public ImmutableList<Value> lower(C10dCall call, CallGroups groups, Scope scope) {
    call.expect(1, 1);
    TensorType type = call.type(0);
    call.expectResult(0, type);
    ImmutableLongArray targets = call.config().longs("src_dst");
    int size = groups.uniformSize(call.config());
    if (targets.length() != size) {
      throw call.error(
          "c10d-peer",
          "src_dst has " + targets.length() + " entries, the group has " + size + " ranks");
    }
    int[] sourceOf = new int[size];
    Arrays.fill(sourceOf, -1);
    ImmutableList.Builder<Pair> pairs = ImmutableList.builder();
    for (int i = 0; i < size; i++) {
      long target = targets.get(i);
      if (target == -1) {
        continue;
      }
      if (target < 0 || target >= size) {
        throw call.error(
            "c10d-peer", "src_dst names rank " + target + ", outside its group of " + size);
      }
      if (sourceOf[(int) target] >= 0) {
        throw call.error(
            "c10d-peer",
            "group rank "
                + target
                + " would get a tensor from both "
                + sourceOf[(int) target]
                + " and "
                + i);
      }
      sourceOf[(int) target] = i;
    }
    for (ImmutableIntArray group : groups.groups()) {
      for (int i = 0; i < size; i++) {
        if (targets.get(i) >= 0) {
          pairs.add(new Pair(group.get(i), group.get((int) targets.get(i))));
        }
      }
    }
    Value moved = scope.collectives().permute(call.operands().get(0), pairs.build());
    return scope.keepOutside(call, groups, ImmutableList.of(moved));
  }
}
