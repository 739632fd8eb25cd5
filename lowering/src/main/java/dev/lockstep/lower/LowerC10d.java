package dev.lockstep.lower;

import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * Lowers the torch.distributed calls of a program to XLA ops, in one text for all ranks.
 *
 * <p>What is written holds nothing of a rank's own number: it asks for the replica or partition id
 * and looks tables up. For programs that differ from rank to rank see {@link LowerSet}.
 */
public final class LowerC10d {
  private LowerC10d() {}

  /**
   * Returns {@code module} without torch.distributed calls; the same object when it has none.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException if a call is wrong, or cannot be said in XLA
   */
  public static Module lower(Module module, LoweringContext context) {
    return lower(module, context, true, function -> true);
  }

  /**
   * Returns {@code module} without torch.distributed calls in what its entry leads to.
   *
   * @param keepReceiveNames whether what is received is called as the receive was; not when the
   *     receive stands in some ranks' programs only, since then names would tell the ranks apart
   */
  static Module lowerReached(Module module, LoweringContext context, boolean keepReceiveNames) {
    ImmutableSet<String> reached = Reach.functions(module);
    return lower(module, context, keepReceiveNames, function -> reached.contains(function.name()));
  }

  private static Module lower(
      Module module,
      LoweringContext context,
      boolean keepReceiveNames,
      Predicate<Function> isMeant) {
    List<CallConfig> calls = calls(module);
    Module permuted = transfersLowered(module, context);
    if (calls.isEmpty()) {
      return permuted;
    }
    DeviceGrid grid = Counts.resolve(module, context, calls);
    BuildScope build = BuildScope.of(permuted);
    Module lowered =
        permuted.mapFunctions(
            function ->
                isMeant.test(function)
                    ? function.withBody(
                        BlockLowering.lower(
                            function.body(), build, grid, context.rendezvous(), keepReceiveNames))
                    : function);
    return build.finish(lowered);
  }

  /** Lowers XLA's own transfers. */
  private static Module transfersLowered(Module module, LoweringContext context) {
    OptionalInt replicas = module.replicas().isPresent() ? module.replicas() : context.replicas();
    OptionalInt partitions =
        module.partitions().isPresent() ? module.partitions() : context.partitions();
    if (!TransferEnd.isIn(module)) {
      return module;
    }
    DeviceGrid grid =
        replicas.isEmpty() && partitions.isEmpty()
            ? null
            : new DeviceGrid(replicas.orElse(1), partitions.orElse(1));
    return XlaTransfers.lower(module, grid);
  }

  /** Returns the configs of all calls in program order. */
  static List<CallConfig> calls(Module module) {
    List<CallConfig> out = new ArrayList<>();
    module.walk(
        operation -> {
          if (CallReader.isCall(operation)) {
            out.add(CallReader.config(operation));
          }
        });
    return out;
  }
}
