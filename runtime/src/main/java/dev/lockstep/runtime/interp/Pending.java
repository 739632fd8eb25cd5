package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;

/** What a device may wait for. */
interface Pending {
  /** Returns whether {@link #results} are there. */
  boolean isReady();

  /** Returns what the waiting operation gives; only once ready. */
  ImmutableList<Datum> results();

  /** Returns the operation that somebody else must answer. */
  Operation operation();

  /** Returns what is missing, without the devices that wait: {@code for device 1 of ...}. */
  String awaited();

  /** Returns the devices that are waited for, in ascending order; empty when nobody is named. */
  ImmutableList<Integer> missing();

  /** Something that is there already. */
  record Ready(Operation operation, ImmutableList<Datum> results) implements Pending {
    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public String awaited() {
      return "";
    }

    @Override
    public ImmutableList<Integer> missing() {
      return ImmutableList.of();
    }
  }
}
