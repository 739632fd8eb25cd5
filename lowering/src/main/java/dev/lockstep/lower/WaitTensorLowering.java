package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Value;

/** {@code wait_tensor}: nothing, since XLA's results are there when they are used. */
final class WaitTensorLowering implements CallLowering {
  /** The name of the call. */
  static final String TARGET = "_c10d_functional.wait_tensor";

  @Override
  public ImmutableList<String> targets() {
    return ImmutableList.of(TARGET);
  }

  @Override
  public ImmutableSet<String> entries() {
    return ImmutableSet.of();
  }

  @Override
  public ImmutableList<Value> lower(C10dCall call, CallGroups groups, Scope scope) {
    call.expect(1, 1);
    call.expectResult(0, call.type(0));
    return call.operands();
  }
}
