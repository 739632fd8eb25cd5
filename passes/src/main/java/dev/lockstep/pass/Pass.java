package dev.lockstep.pass;

import dev.lockstep.hlo.ir.Module;

/**
 * A function from module to module. Implementations hold no state; one object serves all runs.
 *
 * <p>A class {@code DegenerateCollectivesPass} is the pass {@code degenerate-collectives}, the flag
 * {@code --degenerate-collectives} and the golden file {@code passes/degenerate-collectives.hlot}.
 */
public interface Pass {
  /** Returns name, documentation and options. */
  PassInfo info();

  /**
   * Returns the rewritten module; {@code module} itself, the same object, when nothing changed.
   *
   * <p>Values and locations of what is kept stay as they are. What is wrong with the input goes to
   * {@link PassContext#diagnostics}, or is thrown as a {@link
   * dev.lockstep.hlo.diag.DiagnosticException} when there is no way on.
   */
  Module run(Module module, PassContext context);
}
