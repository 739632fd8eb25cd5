package dev.lockstep.runtime.pjrt;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Something that a plugin gave and must get back. Threads may use it together; {@link #close} waits
 * for them, closes what was made of it, the youngest first, and then gives it back. Closing twice
 * is the same as closing once.
 */
abstract class PjrtHandle implements AutoCloseable {
  private final PjrtPlugin plugin;
  private final @Nullable PjrtHandle parent;
  private final int destroy;
  private final String what;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Set<PjrtHandle> children = new LinkedHashSet<>();
  private long address;

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

  /** Makes closing this close {@code child} first. */
  final void adopt(PjrtHandle child) {
    synchronized (children) {
      children.add(child);
    }
  }

  private void disown(PjrtHandle child) {
    synchronized (children) {
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
   * Returns the native address, which stays good until {@link #release} on the same thread.
   *
   * @throws IllegalStateException if this is closed
   */
  final long acquire() {
    lock.readLock().lock();
    if (address == 0) {
      lock.readLock().unlock();
      throw new IllegalStateException("this " + what + " is closed");
    }
    return address;
  }

  /** Lets {@link #close} go on; once for each {@link #acquire}. */
  final void release() {
    lock.readLock().unlock();
  }

  /** Returns whether this is closed. */
  public final boolean isClosed() {
    lock.readLock().lock();
    try {
      return address == 0;
    } finally {
      lock.readLock().unlock();
    }
  }

  /** What must be given back before this itself, with its own address already taken away. */
  void beforeDestroy() {}

  @Override
  public final void close() {
    PjrtHandle[] made;
    synchronized (children) {
      made = children.toArray(new PjrtHandle[0]);
    }
    for (int i = made.length - 1; i >= 0; i--) {
      made[i].close();
    }
    lock.writeLock().lock();
    try {
      if (address == 0) {
        return;
      }
      long old = address;
      address = 0;
      beforeDestroy();
      PjrtNative.destroy(plugin.address(), destroy, old);
    } finally {
      lock.writeLock().unlock();
    }
    if (parent != null) {
      parent.disown(this);
    }
  }
}
