package dev.lockstep.pass.region.split;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.control.CustomCall;
import dev.lockstep.pass.analysis.DistributedCall;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/** Which operations of a module talk to other ranks, themselves or in what they run. */
final class Communication {
  /** StableHLO says this one as a custom call. */
  private static final String RAGGED_ALL_TO_ALL = "ragged_all_to_all";

  private final Module module;
  private final Map<Operation, ImmutableList<String>> known = new IdentityHashMap<>();
  private final Map<String, ImmutableList<String>> functions = new HashMap<>();

  Communication(Module module) {
    this.module = module;
  }

  /** Returns whether {@code operation} itself talks to other ranks. */
  static boolean isDirect(Operation operation) {
    Semantics semantics = operation.def().semantics();
    if (semantics instanceof Semantics.Collective
        || semantics == Semantics.Control.SEND
        || semantics == Semantics.Control.RECV) {
      return true;
    }
    String target = DistributedCall.target(operation);
    return target != null && !target.equals(DistributedCall.WAIT)
        || operation.is(CustomCall.DEF)
            && CustomCall.TARGET.getOr(operation, "").equals(RAGGED_ALL_TO_ALL);
  }

  /** Returns whether {@code operation} is torch's wait, which gives back what it waits for. */
  static boolean isWait(Operation operation) {
    return DistributedCall.WAIT.equals(DistributedCall.target(operation))
        && operation.operands().size() == 1
        && operation.results().size() == 1;
  }

  /** Returns whether {@code operation} goes on with, or ends, what its first operand started. */
  static boolean follows(Operation operation) {
    Semantics semantics = operation.def().semantics();
    return semantics instanceof Semantics.Control control
        && switch (control) {
          case ASYNC_UPDATE, ASYNC_DONE, SEND_DONE, RECV_DONE -> true;
          default -> false;
        };
  }

  /** Returns whether {@code operation} or anything that it runs talks to other ranks. */
  boolean in(Operation operation) {
    return !names(operation).isEmpty();
  }

  /** Returns whether {@code operation} talks to other ranks only in what it runs. */
  boolean isNested(Operation operation) {
    return !isDirect(operation) && in(operation);
  }

  /** Returns the names of all that talks to other ranks in {@code operation}, in program order. */
  ImmutableList<String> names(Operation operation) {
    ImmutableList<String> found = known.get(operation);
    if (found == null) {
      found = find(operation);
      known.put(operation, found);
    }
    return found;
  }

  private ImmutableList<String> find(Operation operation) {
    if (isDirect(operation)) {
      return ImmutableList.of(
          operation.is(CustomCall.DEF)
              ? CustomCall.TARGET.get(operation)
              : operation.def().nameIn(module.syntax()));
    }
    ImmutableList.Builder<String> out = ImmutableList.builder();
    for (Region region : operation.regions()) {
      for (Block block : region.blocks()) {
        block.operations().forEach(inner -> out.addAll(names(inner)));
      }
    }
    if (operation.regions().isEmpty()) {
      Bodies.callees(operation).forEach(callee -> out.addAll(function(callee)));
    }
    return out.build();
  }

  private ImmutableList<String> function(String name) {
    ImmutableList<String> found = functions.get(name);
    if (found != null) {
      return found;
    }
    // What calls itself is refused by the verifier; here it merely must not loop.
    functions.put(name, ImmutableList.of());
    ImmutableList.Builder<String> out = ImmutableList.builder();
    module
        .function(name)
        .filter(function -> !function.isDeclaration())
        .map(Function::body)
        .ifPresent(body -> body.operations().forEach(inner -> out.addAll(names(inner))));
    ImmutableList<String> all = out.build();
    functions.put(name, all);
    return all;
  }
}
