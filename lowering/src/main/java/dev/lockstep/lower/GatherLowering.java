package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Value;

/** {@code gather}: all-gather on every rank, of which all but the destination make zeros. */
final class GatherLowering implements CallLowering {
  @Override
  public ImmutableList<String> targets() {
    return ImmutableList.of("c10d.gather");
  }

  @Override
  public ImmutableSet<String> entries() {
    return ImmutableSet.of("dst");
  }

  @Override
  public ImmutableList<Value> lower(C10dCall call, CallGroups groups, Scope scope) {
    boolean[] destinations =
        groups.atPlace(call.config().perGroup("dst", groups.groups().size()), "dst", call.config());
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (Value part : AllGatherLowering.gathered(call, groups, scope)) {
      Value zeros = scope.emit().zeros(Emitter.type(part));
      out.add(scope.ranks().choose(destinations, part, zeros));
    }
    return scope.keepOutside(call, groups, out.build());
  }
}
