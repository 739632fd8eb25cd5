package dev.lockstep.golden.run;

import com.google.common.base.Throwables;
import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.runtime.interp.RankInterpreter;
import dev.lockstep.runtime.transport.Dispatcher;
import dev.lockstep.runtime.transport.LocalNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Runs each device of a grid on a thread of its own, which meets the others over a transport. */
public final class RankThreads {
  private RankThreads() {}

  /**
   * Runs {@code program} as {@link dev.lockstep.runtime.interp.GridInterpreter} does.
   *
   * @throws DiagnosticException what the first device said that could not go on by itself
   */
  public static ImmutableList<ImmutableList<Datum>> run(
      Program program,
      DeviceGrid grid,
      List<ImmutableList<Datum>> arguments,
      InterpreterOptions options) {
    LocalNetwork network = new LocalNetwork(grid.size());
    List<CompletableFuture<ImmutableList<Datum>>> running = new ArrayList<>();
    for (int device = 0; device < grid.size(); device++) {
      int own = device;
      running.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  RankInterpreter interpreter =
                      new RankInterpreter(grid, new Dispatcher(network.transport(own)), options);
                  ImmutableList<Datum> out = interpreter.run(program, arguments.get(own));
                  interpreter.finish();
                  network.leave(own);
                  return out;
                } catch (RuntimeException e) {
                  network.lose(own, "has failed: " + e.getMessage());
                  throw e;
                }
              },
              work -> new Thread(work, "device " + own).start()));
    }
    ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
    RuntimeException failure = null;
    for (CompletableFuture<ImmutableList<Datum>> each : running) {
      try {
        out.add(each.join());
      } catch (CompletionException e) {
        RuntimeException cause = (RuntimeException) Throwables.getRootCause(e);
        failure = failure == null || isConsequence(failure) ? cause : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return out.build();
  }

  private static boolean isConsequence(RuntimeException failure) {
    return failure instanceof DiagnosticException
        && ((DiagnosticException) failure)
            .diagnostics()
            .get(0)
            .code()
            .equals(RankInterpreter.PEER_LOST);
  }
}
