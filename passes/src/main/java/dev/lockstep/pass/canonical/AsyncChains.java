package dev.lockstep.pass.canonical;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.collective.AllGatherDone;
import dev.lockstep.hlo.op.collective.AllReduceDone;
import dev.lockstep.hlo.op.collective.AsyncDone;
import dev.lockstep.hlo.op.collective.AsyncStart;
import dev.lockstep.hlo.op.collective.AsyncUpdate;
import dev.lockstep.hlo.op.collective.CollectivePermuteDone;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous operations from start to done, and those that are being removed: the values of a
 * removed start are handed to the done operation, and everything between is dropped.
 */
final class AsyncChains {
  private final Module module;
  private final Order order;
  private final Map<Value, List<Operation>> users = new IdentityHashMap<>();
  private final Map<Value, ImmutableList<Value>> removed = new IdentityHashMap<>();
  private final Set<Value> inBodies = Collections.newSetFromMap(new IdentityHashMap<>());

  AsyncChains(Module module) {
    this.module = module;
    this.order = new Order(module);
    module.operations().forEach(this::collect);
  }

  private void collect(Operation operation) {
    Operation collective =
        operation.is(AsyncStart.DEF) ? Collectives.collective(operation, module) : null;
    if (collective != null) {
      inBodies.addAll(collective.results());
    }
    for (Value operand : operation.operands()) {
      users.computeIfAbsent(operand, value -> new ArrayList<>()).add(operation);
    }
    for (Region region : operation.regions()) {
      for (Block block : region.blocks()) {
        block.operations().forEach(this::collect);
        // What ROOT gives back is used by whoever called.
        Operation root = block.root();
        if (root != null) {
          root.results().forEach(r -> users.computeIfAbsent(r, v -> new ArrayList<>()).add(root));
        }
      }
    }
  }

  /**
   * Returns whether {@code operation} is what an asynchronous operation consists of; it goes with
   * its start or not at all.
   */
  boolean isInBody(Operation operation) {
    return !operation.results().isEmpty() && inBodies.contains(operation.results().get(0));
  }

  /** Returns whether {@code operation} ends a chain. */
  boolean isEnd(Operation operation) {
    return operation.is(AsyncDone.DEF)
        || operation.is(AllReduceDone.DEF)
        || operation.is(AllGatherDone.DEF)
        || operation.is(CollectivePermuteDone.DEF);
  }

  /**
   * Returns whether everything that {@code start} leads to is known: its value goes through updates
   * to one done operation, and nothing else uses it or is ordered behind its parts.
   */
  boolean isWhole(Operation start) {
    return start.results().size() == 1 && done(start) != null;
  }

  /** Returns the types that the end of the chain of {@code start} gives. */
  ImmutableList<Type> endTypes(Operation start) {
    return requireNonNull(done(start)).resultTypes();
  }

  private @Nullable Operation done(Operation start) {
    Operation at = start;
    while (true) {
      if (order.isNamed(at) || at.results().size() != 1) {
        return null;
      }
      List<Operation> next = users.getOrDefault(at.result(), List.of());
      if (next.size() != 1) {
        return null;
      }
      at = next.get(0);
      if (isEnd(at)) {
        return at;
      }
      if (!at.is(AsyncUpdate.DEF)) {
        return null;
      }
    }
  }

  /**
   * Returns the operands of {@code start} that {@code collective}, itself or what its body holds,
   * works on; null when the body does more than that.
   */
  @Nullable ImmutableList<Value> operands(Operation start, Operation collective) {
    if (start.def().isCollective()) {
      return start.operands();
    }
    ImmutableList<Block> bodies = Bodies.of(start, module);
    if (bodies.size() != 1 || !bodies.get(0).returned().equals(collective.results())) {
      return null;
    }
    ImmutableList<Value> parameters = Function.parametersOf(bodies.get(0));
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (Value operand : collective.operands()) {
      int number = parameters.indexOf(operand);
      if (number < 0) {
        return null;
      }
      out.add(start.operand(number));
    }
    return out.build();
  }

  /** Removes {@code start}; what ends its chain gets {@code values}. */
  ImmutableList<Value> remove(Operation start, ImmutableList<Value> values) {
    removed.put(start.result(), values);
    return start.results();
  }

  /** Returns whether one of {@code operands} comes from a start that was removed. */
  boolean isRemoved(ImmutableList<Value> operands) {
    return operands.size() == 1 && removed.containsKey(operands.get(0));
  }

  /** Removes an operation in the middle of a removed chain. */
  ImmutableList<Value> pass(Operation operation) {
    return remove(operation, values(operation));
  }

  /** Returns the values that the removed start left for {@code operation}. */
  ImmutableList<Value> values(Operation operation) {
    return requireNonNull(removed.get(operation.operand(0)));
  }
}
