package dev.lockstep.pass;

import dev.lockstep.hlo.ir.Module;
import java.util.Map;

/** Watches a pipeline run: printing, snapshots, time. Sees modules, changes none. */
public interface PassInstrument {
  /**
   * Called in a run over the programs of several ranks, before one of them is shown.
   *
   * @param label what people call it, {@code ranks 0-2}
   */
  default void program(String label) {}

  /**
   * Called before a pass.
   *
   * @param index the number of the run, from 1
   * @param step the pass and its options
   * @param module what it will get
   */
  default void before(int index, Pipeline.Single step, Module module) {}

  /**
   * Called after a pass that did not fail.
   *
   * @param index the number of the run, from 1
   * @param step the pass and its options
   * @param before what it got
   * @param after what it gave; the same object when it changed nothing
   * @param nanos how long it took
   * @param statistics what it counted
   */
  default void after(
      int index,
      Pipeline.Single step,
      Module before,
      Module after,
      long nanos,
      Map<String, Long> statistics) {}
}
