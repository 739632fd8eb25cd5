package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Value;

/**
 * {@code broadcast}: an all-reduce to which only the source gives its tensor. XLA's own
 * collective-broadcast is not implemented on every target, and has no mode with global ids.
 */
final class BroadcastLowering implements CallLowering {
  @Override
  public ImmutableList<String> targets() {
    return ImmutableList.of("_c10d_functional.broadcast");
  }

  @Override
  public ImmutableSet<String> entries() {
    return ImmutableSet.of("src");
  }

  @Override
  public ImmutableList<Value> lower(C10dCall call, CallGroups groups, Scope scope) {
    call.expect(1, 1);
    call.expectResult(0, call.type(0));
    boolean[] sources =
        groups.atPlace(call.config().perGroup("src", groups.groups().size()), "src", call.config());
    for (int r = 0; r < sources.length; r++) {
      // A rank in no group is alone in one of its own, and so gets its operand back.
      sources[r] |= groups.groupOf(r) < 0;
    }
    return ImmutableList.of(
        scope
            .exact()
            .allReduce(call.operands().get(0), sources, groups.completed(false, call.config())));
  }
}
