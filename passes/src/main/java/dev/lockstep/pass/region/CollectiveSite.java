package dev.lockstep.pass.region;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Operation;
import org.jspecify.annotations.Nullable;

/**
 * A place of a program where a rank meets others or exchanges messages with them: an XLA
 * collective, send or receive, or a torch.distributed call that is not yet lowered.
 *
 * <p>What the place means depends on the rank: {@link #signature} and {@link #transfers} say it.
 */
public final class CollectiveSite {
  private final Operation operation;
  private final @Nullable Operation done;
  private final SiteMeaning meaning;

  CollectiveSite(Operation operation, @Nullable Operation done, SiteMeaning meaning) {
    this.operation = operation;
    this.done = done;
    this.meaning = meaning;
  }

  /** Returns the operation in its block: the collective, its start form or the call. */
  public Operation operation() {
    return operation;
  }

  /** Returns the operation that waits for what {@link #operation} started; null when it waits. */
  public @Nullable Operation done() {
    return done;
  }

  /** Returns whether the site sends or receives messages instead of meeting a group. */
  public boolean isTransfer() {
    return meaning.isTransfer();
  }

  /**
   * Returns what {@code rank} must agree on with its group; null when it is in no group, or the
   * site is one of messages.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException if the groups make no sense on {@code grid}
   */
  public @Nullable CollectiveSignature signature(DeviceGrid grid, int rank) {
    return meaning.signature(grid, rank);
  }

  /**
   * Returns the groups that meet here, each in group order; empty when the site is one of messages.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException if the groups make no sense on {@code grid}
   */
  public ImmutableList<ImmutableIntArray> groups(DeviceGrid grid) {
    return meaning.isTransfer() ? ImmutableList.of() : meaning.resolved(grid).groups();
  }

  /**
   * Returns the messages that {@code rank} sends and receives here, in order; empty when the site
   * is none of messages, or the rank takes no part.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException if the peers make no sense on {@code grid}
   */
  public ImmutableList<Transfer> transfers(DeviceGrid grid, int rank) {
    return meaning.transfers(grid, rank);
  }

  /** Returns whether a rank that is in no group gets something too: zeros, or what it brings. */
  public boolean givesOutsiders() {
    return meaning.givesOutsiders();
  }

  /** Returns what a user calls the operation: {@code all_reduce}, {@code all-reduce}. */
  public String name() {
    return meaning.name();
  }

  @Override
  public String toString() {
    return name() + " at " + operation.location();
  }
}
