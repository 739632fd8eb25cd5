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

  private Frame(BlockPlan plan, @Nullable Datum[] values) {
    this.plan = plan;
    this.caller = null;
    this.depth = 0;
    this.values = values;
  }

  /**
   * Returns a frame that runs only the operation at {@link #position}, with the values that the
   * device at place {@code part} of the strand has.
   */
  Frame alone(int part) {
    OpPlan operation = plan.operations()[position];
    BlockPlan one =
        new BlockPlan(
            plan.block(),
            ImmutableList.of(),
            new int[0],
            ImmutableList.of(),
            new int[0],
            new OpPlan[] {operation.alone()},
            operation.resultSlots,
            plan.slots());
    @Nullable Datum[] own = new @Nullable Datum[values.length];
    copy(operation.operandSlots, own, part);
    for (int[] slots : operation.captures) {
      copy(slots, own, part);
    }
    return new Frame(one, own);
  }

  private void copy(int[] slots, @Nullable Datum[] own, int part) {
    for (int slot : slots) {
      own[slot] = Spread.of(value(slot), part);
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
