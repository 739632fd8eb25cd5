package dev.lockstep.lower;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSortedMap;
import dev.lockstep.hlo.attr.Attributes;

/**
 * Calls of several ranks that are one call of the job.
 *
 * @param calls the call of each rank that has one
 * @param config the config they share, as in one text for all ranks
 */
record SetStep(ImmutableSortedMap<Integer, SetCall> calls, Attributes config) {
  /** Returns the call of the lowest rank. */
  SetCall first() {
    return requireNonNull(calls.get(calls.firstKey()));
  }
}
