package dev.lockstep.lower;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSortedMap;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Operation;
import org.jspecify.annotations.Nullable;

/**
 * What several ranks come to together: calls that are one call of the job, or a part of the program
 * with calls inside.
 *
 * @param calls the call of each rank that has one; empty for a part
 * @param parts the part of each rank that has it; empty for calls
 * @param config the config that calls share, as in one text for all ranks
 */
record SetStep(
    ImmutableSortedMap<Integer, SetCall> calls,
    ImmutableSortedMap<Integer, SetPart> parts,
    Attributes config) {
  /** Returns the step of {@code calls}. */
  static SetStep ofCalls(ImmutableSortedMap<Integer, SetCall> calls) {
    return new SetStep(calls, ImmutableSortedMap.of(), SetConfigs.merge(calls));
  }

  /** Returns the step of {@code parts}. */
  static SetStep ofParts(ImmutableSortedMap<Integer, SetPart> parts) {
    return new SetStep(ImmutableSortedMap.of(), parts, Attributes.EMPTY);
  }

  /** Returns the call of the lowest rank. */
  SetCall first() {
    return requireNonNull(calls.get(calls.firstKey()));
  }

  /** Returns whether ranks send or receive in it. */
  boolean isP2p() {
    return !calls.isEmpty() && first().isP2p();
  }

  /** Returns the operation in the program of {@code rank}, or null. */
  @Nullable Operation operation(int rank) {
    SetItem item = calls.get(rank);
    item = item == null ? parts.get(rank) : item;
    return item == null ? null : item.operation();
  }
}
