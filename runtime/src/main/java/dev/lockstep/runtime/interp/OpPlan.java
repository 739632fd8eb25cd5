package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.type.TupleType;
import org.jspecify.annotations.Nullable;

/**
 * An operation prepared for running: its values are indices into the frame of its block. Shared by
 * all devices that run the text.
 */
final class OpPlan {
  private static final int[] NONE = {};

  final Operation operation;
  final int[] operandSlots;
  final int[] resultSlots;

  /** Slots that nothing reads after this operation, results that nothing reads included. */
  int[] deadSlots = NONE;

  /** For each body, the slots whose values it captures from this block. */
  final int[][] captures;

  /** Whether the one result is a tuple that several results must be packed into. */
  final boolean packs;

  /** What the operation computes. */
  final Semantics semantics;

  /** How it is computed on quantised tensors; null when it has none. */
  final @Nullable Quantized quantized;

  /** Whether devices with the same operands may get different results. */
  final boolean dependsOnDevice;

  private final PlanSet plans;
  private BlockPlan @Nullable [] bodies;

  private @Nullable CallDescription description;

  /** The results of an operation that gives the same always, once it has run. */
  @Nullable ImmutableList<Datum> constant;

  OpPlan(
      Operation operation,
      int[] operandSlots,
      int[] resultSlots,
      int[][] captures,
      BlockPlan @Nullable [] bodies,
      PlanSet plans) {
    this.operation = operation;
    this.operandSlots = operandSlots;
    this.resultSlots = resultSlots;
    this.captures = captures;
    this.bodies = bodies;
    this.plans = plans;
    this.semantics = operation.def().semantics(operation);
    this.quantized = Quantized.of(operation);
    this.dependsOnDevice = dependsOnDevice(operation);
    this.packs =
        operation.results().size() == 1 && operation.results().get(0).type() instanceof TupleType;
  }

  private static boolean dependsOnDevice(Operation operation) {
    return operation.anyMatch(inner -> inner.def().semantics() instanceof Semantics.PerDevice);
  }

  /** Returns this for a frame that ends after it, so that its results stay. */
  OpPlan alone() {
    return new OpPlan(operation, operandSlots, resultSlots, captures, bodies, plans);
  }

  /** Returns the text that the operation stands in. */
  dev.lockstep.hlo.ir.Module module() {
    return plans.module();
  }

  /** Returns the name of the op in the syntax of its text. */
  String name() {
    return operation.def().nameIn(module().syntax());
  }

  /** Returns what a collective is in words. */
  CallDescription description() {
    CallDescription known = description;
    if (known == null) {
      known = CallDescription.of(operation, module());
      description = known;
    }
    return known;
  }

  /** Returns the number of bodies. */
  int bodyCount() {
    return prepared().length;
  }

  /** Returns body {@code index}. */
  BlockPlan body(int index) {
    BlockPlan[] all = prepared();
    if (index >= all.length) {
      throw new IllegalArgumentException(
          name() + " has " + all.length + " bodies, need number " + index);
    }
    return all[index];
  }

  private BlockPlan[] prepared() {
    BlockPlan[] found = bodies;
    if (found == null) {
      found = plans.bodies(operation);
      bodies = found;
    }
    return found;
  }

  /** Returns the slots that body {@code index} captures. */
  int[] captures(int index) {
    return index < captures.length ? captures[index] : NONE;
  }

  /** Returns {@code results} as the operation's results: packed where they are one tuple. */
  ImmutableList<Datum> pack(ImmutableList<Datum> results) {
    if (!packs) {
      return results;
    }
    if (results.size() == 1
        && (results.get(0) instanceof Datum.Tuple || results.get(0) instanceof Datum.Future)) {
      return results;
    }
    return ImmutableList.of(new Datum.Tuple(results));
  }
}
