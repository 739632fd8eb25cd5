package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.literal.Datum;
import org.jspecify.annotations.Nullable;

/** One collective of one group: who has arrived, and the results once all have. */
final class Meeting {
  /** A member that has arrived. */
  record Arrival(
      int device,
      OpPlan plan,
      ImmutableIntArray members,
      ImmutableList<ImmutableList<Datum>> captured,
      ImmutableList<Datum> operands) {
    Agreement.Side side() {
      return new Agreement.Side(device, plan.description(), members);
    }
  }

  private final ImmutableIntArray members;
  private final @Nullable Arrival[] arrivals;
  private int missing;
  private ImmutableList<ImmutableList<Datum>> results = ImmutableList.of();

  Meeting(ImmutableIntArray members) {
    this.members = members;
    this.arrivals = new @Nullable Arrival[members.length()];
    this.missing = members.length();
  }

  ImmutableIntArray members() {
    return members;
  }

  /** Returns a member that has arrived, or null. */
  @Nullable Arrival anyArrival() {
    for (Arrival arrival : arrivals) {
      if (arrival != null) {
        return arrival;
      }
    }
    return null;
  }

  /** Notes that the member at {@code index} has arrived. */
  void arrive(int index, Arrival arrival) {
    arrivals[index] = arrival;
    missing--;
  }

  boolean isComplete() {
    return missing == 0;
  }

  /** Returns who has arrived, in group order; all of them once complete. */
  ImmutableList<Arrival> arrivals() {
    ImmutableList.Builder<Arrival> out = ImmutableList.builder();
    for (Arrival arrival : arrivals) {
      if (arrival != null) {
        out.add(arrival);
      }
    }
    return out.build();
  }

  /** Sets the results of all members, in group order; operands are no longer kept. */
  void close(ImmutableList<ImmutableList<Datum>> all) {
    results = all;
    java.util.Arrays.fill(arrivals, null);
  }

  ImmutableList<Datum> resultsOf(int index) {
    return results.get(index);
  }

  boolean isClosed() {
    return !results.isEmpty();
  }

  /** Returns the members that have not arrived, ascending. */
  ImmutableList<Integer> absent() {
    if (isClosed()) {
      return ImmutableList.of();
    }
    ImmutableList.Builder<Integer> out = ImmutableList.builder();
    for (int i = 0; i < arrivals.length; i++) {
      if (arrivals[i] == null) {
        out.add(members.get(i));
      }
    }
    return ImmutableList.sortedCopyOf(out.build());
  }
}
