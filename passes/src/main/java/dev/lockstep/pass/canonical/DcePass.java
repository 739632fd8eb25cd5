package dev.lockstep.pass.canonical;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.pass.Pass;
import dev.lockstep.pass.PassContext;
import dev.lockstep.pass.PassInfo;
import dev.lockstep.pass.analysis.Effects;
import dev.lockstep.pass.analysis.Mentions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Removes what nobody uses. */
public final class DcePass implements Pass {
  /** The pass; it holds no state. */
  public static final DcePass INSTANCE = new DcePass();

  private static final PassInfo INFO =
      PassInfo.of(
          "dce",
          "Removes operations and functions that nobody uses",
          """
          An operation goes when no result of it reaches what a function gives back or an operation
          that must stay. A private function or computation goes when nothing that stays mentions
          its name.

          Side effects, collectives, asynchronous pairs and barriers stay however unused: the other
          members of a group wait for each of them, so removing one on the strength of one rank's
          program would change the sequence that the ranks issue together. Parameters stay, since
          they are the interface. An instruction that a control dependency names stays too.
          """);

  private DcePass() {}

  @Override
  public PassInfo info() {
    return INFO;
  }

  @Override
  public Module run(Module module, PassContext context) {
    Effects effects = new Effects(module);
    Module swept = BlockWalk.functions(module, top -> new Sweep(effects, context).regions(top));
    return withoutDeadFunctions(swept, context);
  }

  private static Module withoutDeadFunctions(Module module, PassContext context) {
    Map<String, Operation> byName = new LinkedHashMap<>();
    Deque<String> work = new ArrayDeque<>(Mentions.of(module.attributes()));
    for (Operation top : module.operations()) {
      if (top.is(BuiltinOps.FUNC)) {
        String name = new Function(top).name();
        byName.put(name, top);
        if (isRoot(module, top, name)) {
          work.add(name);
        }
      } else {
        work.addAll(Mentions.of(top));
      }
    }
    Set<String> live = new HashSet<>();
    while (!work.isEmpty()) {
      String name = work.remove();
      Operation function = byName.get(name);
      if (function != null && live.add(name)) {
        work.addAll(Mentions.of(function));
      }
    }
    if (live.size() == byName.size()) {
      return module;
    }
    context.count("functions removed", byName.size() - live.size());
    return module.withOperations(
        module.operations().stream()
            .filter(top -> !top.is(BuiltinOps.FUNC) || live.contains(new Function(top).name()))
            .collect(ImmutableList.toImmutableList()));
  }

  /** Returns whether the outside may call the function. */
  private static boolean isRoot(Module module, Operation function, String name) {
    if (module.syntax() == Syntax.HLO) {
      return module.entry() == null || module.entry().equals(name);
    }
    return !(function.attribute(BuiltinOps.SYM_VISIBILITY) instanceof Attribute.Str visibility
        && visibility.value().equals("private"));
  }

  /**
   * Sweeps one function. {@code live} holds the values that something kept uses. Users come after
   * definitions in program order, so one walk backwards settles it; nested code counts as a user at
   * the place of the operation that holds it.
   */
  private static final class Sweep {
    private final Effects effects;
    private final PassContext context;
    private final Map<Value, Boolean> live = new IdentityHashMap<>();

    Sweep(Effects effects, PassContext context) {
      this.effects = effects;
      this.context = context;
    }

    Operation regions(Operation operation) {
      return BlockWalk.mapBlocksBackwards(operation, this::block);
    }

    private Block block(Block block) {
      Set<String> ordered = BlockWalk.ordered(block);
      ImmutableList.Builder<Operation> kept = ImmutableList.builder();
      boolean changed = false;
      for (Operation operation : block.operations().reverse()) {
        if (operation != block.root() && !isLive(operation, ordered)) {
          changed = true;
          context.count("operations removed", 1);
          continue;
        }
        Operation swept = regions(operation);
        changed |= swept != operation;
        for (Value operand : swept.operands()) {
          live.put(operand, true);
        }
        kept.add(swept);
      }
      return changed ? block.withOperations(kept.build().reverse(), block.root()) : block;
    }

    private boolean isLive(Operation operation, Set<String> ordered) {
      if (effects.mustStay(operation)) {
        return true;
      }
      for (Value result : operation.results()) {
        if (live.containsKey(result) || ordered.contains(String.valueOf(result.name()))) {
          return true;
        }
      }
      return false;
    }
  }
}
