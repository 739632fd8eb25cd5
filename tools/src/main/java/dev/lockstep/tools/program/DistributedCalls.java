package dev.lockstep.tools.program;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.control.CustomCall;
import dev.lockstep.lower.LowerC10d;
import dev.lockstep.lower.LowerSet;
import dev.lockstep.lower.LoweringContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** torch.distributed calls in programs: which there are, and lowering them before a run. */
public final class DistributedCalls {
  /**
   * Programs without such calls.
   *
   * @param modules one program, or one for each rank
   * @param calls how many calls there were in all programs that differ
   */
  public record Lowered(ImmutableList<Module> modules, int calls) {}

  private static final ImmutableSet<String> MESSAGES =
      ImmutableSet.of("c10d.send", "c10d.recv", "c10d.batch_isend_irecv");

  private DistributedCalls() {}

  /** Returns the name of the torch.distributed call that {@code operation} is, or null. */
  public static @Nullable String nameOf(Operation operation) {
    String target = operation.is(CustomCall.DEF) ? CustomCall.TARGET.find(operation) : null;
    return target != null && (target.startsWith("_c10d_functional.") || target.startsWith("c10d."))
        ? target
        : null;
  }

  /**
   * Returns the programs with every call lowered.
   *
   * @param modules one program, or one for each rank
   * @param rendezvous whether sends block until they are received
   * @throws dev.lockstep.hlo.diag.DiagnosticException when a call is wrong
   */
  public static Lowered lower(List<Module> modules, DeviceGrid grid, boolean rendezvous) {
    LoweringContext plain = LoweringContext.of(grid.replicas(), grid.partitions());
    LoweringContext context = rendezvous ? plain.withRendezvous() : plain;
    if (modules.size() == 1) {
      Module module = modules.get(0);
      return new Lowered(ImmutableList.of(LowerC10d.lower(module, context)), count(module));
    }
    Set<Module> counted = new HashSet<>();
    int calls = 0;
    for (Module module : modules) {
      if (counted.add(module)) {
        calls += count(module);
      }
    }
    return new Lowered(LowerSet.lower(modules, context), calls);
  }

  /**
   * Returns the programs of ranks that run several, with every call lowered.
   *
   * @param ranks for each rank its programs in the order it runs them
   * @throws dev.lockstep.hlo.diag.DiagnosticException when the ranks do not meet, or a call is
   *     wrong
   */
  public static ImmutableList<ImmutableList<Module>> lowerPrograms(
      ImmutableList<ImmutableList<Module>> ranks, DeviceGrid grid) {
    return LowerSet.lowerPrograms(ranks, LoweringContext.of(grid.replicas(), grid.partitions()));
  }

  /** Returns how many such calls {@code module} holds. */
  public static int count(Module module) {
    List<Operation> calls = new ArrayList<>();
    module.operations().forEach(top -> top.walk(operation -> addCall(operation, calls)));
    return calls.size();
  }

  private static void addCall(Operation operation, List<Operation> calls) {
    if (nameOf(operation) != null) {
      calls.add(operation);
    }
  }

  /**
   * Returns whether {@code module} sends or receives between two ranks: such a call has a meaning
   * only beside the call of the other rank.
   */
  public static boolean sends(Module module) {
    return module.operations().stream().anyMatch(top -> top.anyMatch(DistributedCalls::isMessage));
  }

  private static boolean isMessage(Operation operation) {
    String name = nameOf(operation);
    return name != null && MESSAGES.contains(name);
  }
}
