package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.MeshAxisGroups;
import dev.lockstep.hlo.op.Semantics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The prepared blocks of one module. Blocks are prepared when they first run; looking up values
 * happens then and never while running.
 */
final class PlanSet {
  private final Module module;
  private final Map<Block, BlockPlan> plans = new IdentityHashMap<>();

  PlanSet(Module module) {
    this.module = module;
  }

  Module module() {
    return module;
  }

  /** Returns the prepared bodies of an operation that names functions. */
  BlockPlan[] bodies(Operation operation) {
    ImmutableList<Block> blocks = Bodies.of(operation, module);
    BlockPlan[] out = new BlockPlan[blocks.size()];
    for (int i = 0; i < out.length; i++) {
      out[i] = plan(blocks.get(i));
    }
    return out;
  }

  /** Returns the plan of {@code block}. */
  BlockPlan plan(Block block) {
    BlockPlan found = plans.get(block);
    if (found == null) {
      found = new Builder(block).build();
      plans.put(block, found);
    }
    return found;
  }

  /** Numbers the values of one block. */
  private final class Builder {
    private final Block block;
    private final Map<Value, Integer> slots = new IdentityHashMap<>();
    private final List<Value> captured = new ArrayList<>();
    private final List<Integer> captureSlots = new ArrayList<>();

    Builder(Block block) {
      this.block = block;
    }

    BlockPlan build() {
      ImmutableList<Value> arguments = Function.parametersOf(block);
      int[] argumentSlots = define(arguments);
      List<OpPlan> operations = new ArrayList<>();
      for (Operation each : block.operations()) {
        Operation operation = MeshAxisGroups.spelledOut(each, module);
        if (operation.def().semantics() == Semantics.Control.PARAMETER) {
          continue;
        }
        if (block.root() == null && each == block.last() && operation.def().isTerminator()) {
          continue;
        }
        operations.add(operation(operation));
      }
      int[] returned = use(block.returned());
      OpPlan[] all = operations.toArray(new OpPlan[0]);
      markDead(all, returned);
      return new BlockPlan(
          block,
          arguments,
          argumentSlots,
          ImmutableList.copyOf(captured),
          captureSlots.stream().mapToInt(Integer::intValue).toArray(),
          all,
          returned,
          slots.size());
    }

    private OpPlan operation(Operation operation) {
      int[] operands = use(operation.operands());
      if (operation.regions().isEmpty()) {
        int[] results = define(operation.results());
        return new OpPlan(operation, operands, results, new int[0][], null, PlanSet.this);
      }
      List<BlockPlan> bodies = new ArrayList<>();
      List<int[]> captures = new ArrayList<>();
      for (Region region : operation.regions()) {
        if (region.isEmpty()) {
          continue;
        }
        if (region.blocks().size() > 1) {
          throw DiagnosticException.error(
              "unsupported-op",
              operation.def().name() + " has a region of several blocks, which cannot be run",
              operation.location());
        }
        BlockPlan body = plan(region.entry());
        bodies.add(body);
        captures.add(use(body.captured()));
      }
      int[] results = define(operation.results());
      return new OpPlan(
          operation,
          operands,
          results,
          captures.toArray(new int[0][]),
          bodies.toArray(new BlockPlan[0]),
          PlanSet.this);
    }

    private int[] define(ImmutableList<Value> values) {
      int[] out = new int[values.size()];
      for (int i = 0; i < out.length; i++) {
        out[i] = slots.size();
        slots.put(values.get(i), out[i]);
      }
      return out;
    }

    private int[] use(ImmutableList<Value> values) {
      int[] out = new int[values.size()];
      for (int i = 0; i < out.length; i++) {
        Value value = values.get(i);
        Integer slot = slots.get(value);
        if (slot == null) {
          // Not defined here so far: it comes from an enclosing block.
          slot = slots.size();
          slots.put(value, slot);
          captured.add(value);
          captureSlots.add(slot);
        }
        out[i] = slot;
      }
      return out;
    }

    private void markDead(OpPlan[] operations, int[] returned) {
      boolean[] live = new boolean[slots.size()];
      for (int slot : returned) {
        live[slot] = true;
      }
      int[] dead = new int[slots.size()];
      for (int i = operations.length - 1; i >= 0; i--) {
        OpPlan operation = operations[i];
        int count = 0;
        for (int slot : operation.resultSlots) {
          if (!live[slot]) {
            live[slot] = true;
            dead[count++] = slot;
          }
        }
        count = lastUses(operation.operandSlots, live, dead, count);
        for (int[] captures : operation.captures) {
          count = lastUses(captures, live, dead, count);
        }
        if (count > 0) {
          operation.deadSlots = Arrays.copyOf(dead, count);
        }
      }
    }

    private int lastUses(int[] used, boolean[] live, int[] dead, int count) {
      int end = count;
      for (int slot : used) {
        if (!live[slot]) {
          live[slot] = true;
          dead[end++] = slot;
        }
      }
      return end;
    }
  }
}
