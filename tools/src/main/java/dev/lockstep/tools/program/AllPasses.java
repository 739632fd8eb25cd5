package dev.lockstep.tools.program;

import com.google.common.collect.ImmutableList;
import dev.lockstep.lower.LowerC10dPass;
import dev.lockstep.pass.PassRegistry;
import dev.lockstep.pass.Passes;

/** Every pass that a pipeline may name, from all rooms. */
public final class AllPasses {
  private AllPasses() {}

  /** Returns the passes in documentation order. */
  public static PassRegistry registry() {
    return PassRegistry.of(Passes.ALL).with(ImmutableList.of(LowerC10dPass.INSTANCE));
  }
}
