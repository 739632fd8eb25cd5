package dev.lockstep.hlo.op.kernel;

/**
 * The 128-bit counter that a device keeps for ops which draw numbers without naming a state. It
 * starts alike in every run, so a run gives the same again. The first value is that of XLA's CPU
 * backend.
 */
public final class GeneratorState {
  private final int device;
  private long low = 0x7012395L;
  private long high;

  /** Creates the counter of {@code device}. */
  public GeneratorState(int device) {
    this.device = device;
  }

  /** Returns the device, so that devices may draw different numbers. */
  public int device() {
    return device;
  }

  /** Returns the counter, low half first, and moves it on by {@code delta}. */
  public long[] next(long delta) {
    long[] out = {low, high};
    long moved = low + delta;
    if (Long.compareUnsigned(moved, low) < 0) {
      high++;
    }
    low = moved;
    return out;
  }
}
