package dev.lockstep.pass.region.align;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.control.CustomCall;
import dev.lockstep.pass.analysis.Effects;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where the values of one program come from, and which of its operations must keep their order. */
final class Definitions {
  private static final String CONTROL_PREDECESSORS = "control-predecessors";

  /** The block of an operation, and its place there. */
  record Place(Block block, int position) {}

  private final Module module;
  private final Effects effects;
  private final Map<Value, Operation> definers = new HashMap<>();
  private final Map<Operation, Place> places = new IdentityHashMap<>();
  private final Map<Value, Block> argumentOf = new HashMap<>();
  private final Set<String> predecessors = new HashSet<>();

  Definitions(Module module) {
    this.module = module;
    this.effects = new Effects(module);
    module.operations().forEach(operation -> regions(operation.regions()));
  }

  private void regions(ImmutableList<Region> regions) {
    for (Region region : regions) {
      for (Block block : region.blocks()) {
        block.arguments().forEach(argument -> argumentOf.put(argument, block));
        for (int i = 0; i < block.operations().size(); i++) {
          Operation operation = block.operations().get(i);
          operation.results().forEach(result -> definers.put(result, operation));
          places.put(operation, new Place(block, i));
          notePredecessors(operation);
          regions(operation.regions());
        }
      }
    }
  }

  private void notePredecessors(Operation operation) {
    if (operation.attribute(CONTROL_PREDECESSORS) instanceof Attribute.Array list) {
      for (Attribute element : list.elements()) {
        if (element instanceof Attribute.Symbol symbol) {
          predecessors.add(symbol.name());
        }
      }
    }
  }

  /** Returns the program. */
  Module module() {
    return module;
  }

  /** Returns the operation that gives {@code value}, or null for an argument of a block. */
  @Nullable Operation definer(Value value) {
    return definers.get(value);
  }

  /** Returns what two operations must share to correspond: the op, of custom calls the target. */
  static Object kind(Operation operation) {
    String target = operation.is(CustomCall.DEF) ? CustomCall.TARGET.find(operation) : null;
    return target == null ? operation.def() : target;
  }

  /** Returns where {@code operation} stands. */
  Place place(Operation operation) {
    return requireNonNull(places.get(operation));
  }

  /** Adds an operation that is not in the program, right behind what {@code operand} comes from. */
  void add(Operation operation, Value operand) {
    Operation before = definers.get(operand);
    Place place =
        before == null
            ? new Place(requireNonNull(argumentOf.get(operand)), -1)
            : requireNonNull(places.get(before));
    places.put(operation, place);
    operation.results().forEach(result -> definers.put(result, operation));
  }

  /** Returns whether {@code operation} must stand once, in order with others of its kind. */
  boolean isAnchor(Operation operation) {
    if (operation.is(BuiltinOps.PARAMETER)) {
      return false;
    }
    return effects.of(operation) != Effects.Effect.NONE
        || operation.attribute(CONTROL_PREDECESSORS) != null
        || !predecessors.isEmpty()
            && operation.results().stream().anyMatch(it -> predecessors.contains(it.name()));
  }

  /** Returns the operations of {@code block} that must keep their order. */
  ImmutableList<Operation> anchors(Block block) {
    return block.operations().stream()
        .filter(this::isAnchor)
        .collect(ImmutableList.toImmutableList());
  }
}
