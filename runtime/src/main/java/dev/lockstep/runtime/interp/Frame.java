package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Datum;
import org.jspecify.annotations.Nullable;

/** A block that runs on one device: its values and how far it is. */
final class Frame {
  final BlockPlan plan;
  final @Nullable Frame caller;
  final int depth;
  private final @Nullable Datum[] values;

  /** Index of the operation that runs or waits. */
  int position;

  /** Of the operation at {@link #position}: whether a while loop evaluates its condition. */
  boolean inCondition;

  /** Of the operation at {@link #position}: what a while loop carries. */
  ImmutableList<Datum> carried = ImmutableList.of();

  Frame(
      BlockPlan plan,
      ImmutableList<Datum> arguments,
      ImmutableList<Datum> captured,
      @Nullable Frame caller) {
    this.plan = plan;
    this.caller = caller;
    this.depth = caller == null ? 0 : caller.depth + 1;
    this.values = new @Nullable Datum[plan.slots()];
    int[] argumentSlots = plan.argumentSlots();
    for (int i = 0; i < argumentSlots.length; i++) {
      values[argumentSlots[i]] = arguments.get(i);
    }
    int[] captureSlots = plan.captureSlots();
    for (int i = 0; i < captureSlots.length; i++) {
      values[captureSlots[i]] = captured.get(i);
    }
  }

  /** Returns the values in {@code slots}. */
  ImmutableList<Datum> read(int[] slots) {
    switch (slots.length) {
      case 0:
        return ImmutableList.of();
      case 1:
        return ImmutableList.of(value(slots[0]));
      case 2:
        return ImmutableList.of(value(slots[0]), value(slots[1]));
      default:
        ImmutableList.Builder<Datum> out = ImmutableList.builderWithExpectedSize(slots.length);
        for (int slot : slots) {
          out.add(value(slot));
        }
        return out.build();
    }
  }

  private Datum value(int slot) {
    Datum value = values[slot];
    if (value == null) {
      throw new IllegalStateException("a value is used before it is defined");
    }
    return value;
  }

  /** Stores the results of the operation at {@link #position}, frees the dead and moves on. */
  void finish(OpPlan operation, ImmutableList<Datum> results) {
    int[] slots = operation.resultSlots;
    for (int i = 0; i < slots.length; i++) {
      values[slots[i]] = results.get(i);
    }
    for (int slot : operation.deadSlots) {
      values[slot] = null;
    }
    carried = ImmutableList.of();
    inCondition = false;
    position++;
  }
}
