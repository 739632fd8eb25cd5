package dev.lockstep.pass.entry;

import dev.lockstep.hlo.flat.FlatEntry;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.Pass;
import dev.lockstep.pass.PassContext;
import dev.lockstep.pass.PassInfo;

/** Makes the entry function take and give tensors alone. */
public final class FlattenEntryFunctionTuplesPass implements Pass {
  /** The pass; it holds no state. */
  public static final FlattenEntryFunctionTuplesPass INSTANCE =
      new FlattenEntryFunctionTuplesPass();

  private static final PassInfo INFO =
      PassInfo.of(
          "flatten-entry-function-tuples",
          "Makes the entry function take and give tensors alone",
          """
          Runtimes hand tensors in and out, each a buffer of its own. Of a parameter that is a tuple,
          every tensor in it becomes a parameter, in order, and the tuple is put together in the body;
          a nested tuple of results becomes a flat one, in StableHLO as many results. Tuples of
          nothing go. So do tokens: a token that comes in orders nothing before the program, and what
          a token that goes out stood for happens all the same.

          Shardings of tuples, parameter_replication, input_output_alias and buffer_donor with paths
          into tuples, tf.aliasing_output, jax.buffer_donor and the layout of the entry are said of
          the tensors. Layouts that StableHLO modules keep of HLO go. `run --backend pjrt` does this by
          itself; `canonicalize` and `dce` take out the tuples that nobody needs any more.

          No operation of the program changes, so every rank issues the same collectives in the same
          order.
          """);

  private FlattenEntryFunctionTuplesPass() {}

  @Override
  public PassInfo info() {
    return INFO;
  }

  @Override
  public Module run(Module module, PassContext context) {
    return module.entryFunction().isPresent() ? FlatEntry.of(module).module() : module;
  }
}
