package dev.lockstep.pass.region.split;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an operation says, without names, places and numbers of channels: objects that are equal for
 * operations of different texts that say the same. What an operation uses from outside is numbered;
 * computations that it names are looked up.
 */
final class OpKey {
  /** Where an operation came from, what it was called, and what orders it among its neighbours. */
  private static final ImmutableSet<String> LEFT_OUT =
      ImmutableSet.of("metadata", "origin", "statistics", ControlNames.ATTRIBUTE);

  private final Module module;
  private final Map<Value, Object> numbers = new IdentityHashMap<>();
  private int depth;

  private OpKey(Module module) {
    this.module = module;
  }

  /** Returns the key of {@code operation}; its own operands are not part of it. */
  static Object of(Operation operation, Module module) {
    OpKey key = new OpKey(module);
    return key.key(operation);
  }

  private Object key(Operation operation) {
    List<Object> out = new ArrayList<>();
    out.add(operation.def().name());
    out.add(operation.operandTypes());
    out.add(operation.resultTypes());
    out.add(attributes(operation));
    for (Region region : operation.regions()) {
      for (Block block : region.blocks()) {
        out.add(block(block));
      }
    }
    return ImmutableList.copyOf(out);
  }

  private Object block(Block block) {
    List<Object> out = new ArrayList<>();
    out.add(block.arguments().stream().map(Value::type).toList());
    block.arguments().forEach(this::define);
    for (Operation operation : block.operations()) {
      out.add(operation.operands().stream().map(this::use).toList());
      out.add(key(operation));
      operation.results().forEach(this::define);
    }
    out.add(block.returned().stream().map(this::use).toList());
    return ImmutableList.copyOf(out);
  }

  private void define(Value value) {
    numbers.put(value, numbers.size());
  }

  /** Values from outside get the next number when they are first used. */
  private Object use(Value value) {
    return numbers.computeIfAbsent(value, unused -> numbers.size());
  }

  private ImmutableList<Object> attributes(Operation operation) {
    ImmutableList.Builder<Object> out = ImmutableList.builder();
    ImmutableList<String> bodies = operation.def().bodyAttributes();
    operation
        .attributes()
        .forEach(
            (name, value) -> {
              if (bodies.contains(name)) {
                out.add(name);
              } else if (!LEFT_OUT.contains(name)) {
                out.add(name, channel(name, value));
              }
            });
    if (operation.regions().isEmpty() && !bodies.isEmpty()) {
      for (String callee : Bodies.callees(operation)) {
        out.add(function(callee));
      }
    }
    return out.build();
  }

  /** Ranks may count channels differently; whether there is one, and its kind, is what matters. */
  private static Object channel(String name, Attribute value) {
    if (name.equals("channel_id")) {
      return "channel";
    }
    if (name.equals("channel_handle") && value instanceof Attribute.Struct handle) {
      Attributes rest = handle.fields().without("handle");
      return ImmutableList.of("channel", rest);
    }
    return value;
  }

  private Object function(String name) {
    Function function = module.function(name).orElse(null);
    // Deeper nesting than any text has means that functions call each other in a circle.
    if (function == null || function.isDeclaration() || depth > 100) {
      return name;
    }
    depth++;
    Object key = new OpKey(module).withDepth(depth).block(function.body());
    depth--;
    return key;
  }

  private OpKey withDepth(int newDepth) {
    depth = newDepth;
    return this;
  }
}
