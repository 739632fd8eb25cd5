package dev.lockstep.runtime.pjrt;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Something that a plugin gave and must get back. Threads may use it together; {@link #close} waits
 * for them, closes what was made of it, the youngest first, and then gives it back. Closing twice
 * is the same as closing once.
 *
 * <p>Nobody waits to use a handle: from the moment when one begins to close, uses fail. Threads
 * that hold some handles and ask for others therefore never wait for each other.
 */
abstract class PjrtHandle implements AutoCloseable {
  private enum State {
    OPEN,
    /** A launch that is under way takes it over; it may yet give it back. */
    TAKEN,
    CLOSING,
    CLOSED
  }

  private static final String IS_CLOSED = "is closed";

  private final PjrtPlugin plugin;
  private final @Nullable PjrtHandle parent;
  private final int destroy;
  private final String what;
  private final long address;
  private State state = State.OPEN;
  private String why = IS_CLOSED;
  private int users;
  private @Nullable Set<PjrtHandle> children;

  PjrtHandle(
      PjrtPlugin plugin, @Nullable PjrtHandle parent, long address, int destroy, String what) {
    this.plugin = plugin;
    this.parent = parent;
    this.address = address;
    this.destroy = destroy;
    this.what = what;
  }

  /** Returns the plugin that this came from. */
  public final PjrtPlugin plugin() {
    return plugin;
  }

  /** Makes closing this close {@code child} first; whoever calls holds this open. */
  final synchronized void adopt(PjrtHandle child) {
    if (children == null) {
      children = new LinkedHashSet<>();
    }
    children.add(child);
  }

  private synchronized void disown(PjrtHandle child) {
    if (children != null) {
      children.remove(child);
    }
  }

  /**
   * Returns what {@code body} makes of the native address, which stays good meanwhile.
   *
   * @throws IllegalStateException if this is closed
   */
  final <T> T use(LongFunction<T> body) {
    long own = acquire();
    try {
      return body.apply(own);
    } finally {
      release();
    }
  }

  /**
   * Returns the native address, which stays good until {@link #release}.
   *
   * @throws IllegalStateException if this is closed, or was donated
   */
  final synchronized long acquire() {
    if (state != State.OPEN) {
      throw gone();
    }
    users++;
    return address;
  }

  private IllegalStateException gone() {
    return new IllegalStateException("this " + what + " " + why);
  }

  /** Lets {@link #close} go on; once for each {@link #acquire}. */
  final synchronized void release() {
    users--;
    if (users == 0 && state != State.OPEN) {
      notifyAll();
    }
  }

  /**
   * Takes this away from all others, for good unless {@link #giveBack} follows; those who use it
   * may go on until {@link #awaitUsers} returns.
   *
   * @param reason why it cannot be used any more, after "this buffer"
   * @throws IllegalStateException if this is closed, or was donated
   */
  final synchronized long take(String reason) {
    if (state != State.OPEN) {
      throw gone();
    }
    state = State.TAKEN;
    why = reason;
    return address;
  }

  /** Returns the native address of what the caller has taken or acquired. */
  final long takenAddress() {
    return address;
  }

  /** Undoes {@link #take}. */
  final synchronized void giveBack() {
    state = State.OPEN;
    why = IS_CLOSED;
    notifyAll();
  }

  /** Ends what was taken, after those who still use it. */
  final void consume() {
    synchronized (this) {
      state = State.CLOSING;
    }
    end();
  }

  /** Waits until nobody uses this. */
  final synchronized void awaitUsers() {
    waitUntil(() -> users == 0);
  }

  /** The caller holds the monitor. */
  private void waitUntil(java.util.function.BooleanSupplier isSo) {
    boolean interrupted = false;
    while (!isSo.getAsBoolean()) {
      try {
        wait();
      } catch (InterruptedException e) {
        // What is in flight must end all the same.
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether this is closed, closes, or was donated. */
  public final synchronized boolean isClosed() {
    return state != State.OPEN;
  }

  /** What must be given back before this itself. */
  void beforeDestroy() {}

  @Override
  public final void close() {
    synchronized (this) {
      waitUntil(() -> state != State.TAKEN);
      if (state != State.OPEN) {
        waitUntil(() -> state == State.CLOSED);
        return;
      }
      state = State.CLOSING;
    }
    end();
  }

  private void end() {
    List<PjrtHandle> made = new ArrayList<>();
    synchronized (this) {
      waitUntil(() -> users == 0);
      if (children != null) {
        made.addAll(children);
      }
    }
    try {
      for (int i = made.size() - 1; i >= 0; i--) {
        made.get(i).close();
      }
      beforeDestroy();
      PjrtNative.destroy(plugin.address(), destroy, address);
    } finally {
      synchronized (this) {
        state = State.CLOSED;
        notifyAll();
      }
      if (parent != null) {
        parent.disown(this);
      }
    }
  }
}
