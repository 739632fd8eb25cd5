package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Datum;

/** Where the members of groups come together. */
interface Assembly {
  /** Notes that {@code device} has come to the collective {@code plan}. */
  Pending arrive(
      int device,
      OpPlan plan,
      ImmutableList<ImmutableList<Datum>> captured,
      ImmutableList<Datum> operands);
}
