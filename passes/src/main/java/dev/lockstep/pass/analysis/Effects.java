package dev.lockstep.pass.analysis;

import static java.util.Objects.requireNonNull;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.control.CustomCall;
import dev.lockstep.hlo.op.data.OptimizationBarrier;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * What operations do besides giving values: whether one must stay when nobody uses it, and whether
 * two that look alike may become one. Answers hold for the module it was made for.
 */
public final class Effects {
  /** What running an operation may do, from least to most. */
  public enum Effect {
    /** Gives the same results for the same operands on the same device, and nothing else. */
    NONE,
    /** Gives values that differ between two runs of it; may go when unused. */
    FRESH,
    /** Must stay, once, in its place: it talks to the outside or to other devices. */
    KEEP
  }

  private final Module module;
  private final Map<Operation, Effect> known = new IdentityHashMap<>();
  private final Map<String, Effect> functions = new HashMap<>();

  /** Creates the analysis of {@code module}. */
  public Effects(Module module) {
    this.module = requireNonNull(module);
  }

  /** Returns whether {@code operation} must stay although nobody uses its results. */
  public boolean mustStay(Operation operation) {
    return of(operation) == Effect.KEEP;
  }

  /** Returns whether {@code operation} gives the same as another that looks the same. */
  public boolean mayMerge(Operation operation) {
    return of(operation) == Effect.NONE;
  }

  /** Returns the effect of {@code operation}, bodies included. */
  public Effect of(Operation operation) {
    Effect found = known.get(operation);
    if (found == null) {
      found = compute(operation);
      known.put(operation, found);
    }
    return found;
  }

  private Effect compute(Operation operation) {
    Effect own = own(operation);
    if (own == Effect.KEEP) {
      return own;
    }
    if (operation.regions().isEmpty()) {
      for (String callee : Bodies.callees(operation)) {
        own = max(own, function(callee));
      }
      return own;
    }
    for (Block block : Bodies.of(operation, module)) {
      own = max(own, block(block));
    }
    return own;
  }

  private Effect function(String name) {
    Effect found = functions.get(name);
    if (found != null) {
      return found;
    }
    // A function that calls itself, or that is only declared, may do anything.
    functions.put(name, Effect.KEEP);
    Effect effect =
        module
            .function(name)
            .filter(f -> !f.isDeclaration())
            .map(f -> block(f.body()))
            .orElse(Effect.KEEP);
    functions.put(name, effect);
    return effect;
  }

  private Effect block(Block block) {
    Effect effect = Effect.NONE;
    for (Operation operation : block.operations()) {
      if (!operation.def().isTerminator() && !operation.is(BuiltinOps.PARAMETER)) {
        effect = max(effect, of(operation));
      }
    }
    return effect;
  }

  private static Effect max(Effect a, Effect b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  /** Returns the effect of the operation itself, bodies left out. */
  private static Effect own(Operation operation) {
    if (operation.is(CustomCall.DEF)) {
      return customCall(operation);
    }
    // HLO lets any instruction carry this word; XLA then treats it as having an effect.
    if (operation.attribute("has_side_effect") instanceof Attribute.Bool) {
      return Effect.KEEP;
    }
    if (operation.def().has(Trait.SIDE_EFFECT)
        || operation.def().isCollective()
        || operation.def().has(Trait.ASYNC)
        || operation.def().has(Trait.UNREGISTERED)
        || operation.def().isTerminator()
        || operation.is(BuiltinOps.PARAMETER)
        || operation.is(OptimizationBarrier.DEF)) {
      return Effect.KEEP;
    }
    // replica-id and its like differ between devices, but not between two places on one device.
    return operation.def().has(Trait.DEVICE_DEPENDENT)
            && !(operation.def().semantics() instanceof Semantics.PerDevice)
        ? Effect.FRESH
        : Effect.NONE;
  }

  private static Effect customCall(Operation operation) {
    String target = CustomCall.TARGET.getOr(operation, "");
    boolean communicates = target.startsWith("_c10d_functional") || target.startsWith("c10d.");
    return communicates || CustomCall.HAS_SIDE_EFFECT.getOr(operation, false)
        ? Effect.KEEP
        // What the code outside computes is not known; two calls of it stay two.
        : Effect.FRESH;
  }
}
