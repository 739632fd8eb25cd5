package dev.lockstep.golden.random;

import com.google.common.collect.ImmutableList;

/** A piece of what ranks do together, from which the program of each rank is written. */
sealed interface JobNode {
  /** What a condition depends on. */
  enum Decider {
    /** A constant. */
    TEXT,
    /** The rank's number. */
    RANK,
    /** What an all-reduce over everybody gives. */
    EVERYBODY,
    /** The rank's own argument. */
    ARGUMENT
  }

  /**
   * A collective.
   *
   * @param op its name without dialect
   * @param groups who meets; a rank in none of them does not come
   * @param size elements of the operand
   * @param type element type
   * @param reduction what folds, for ops that do
   * @param channel XLA's channel, 0 for none
   */
  record Meet(
      String op,
      ImmutableList<ImmutableList<Integer>> groups,
      int size,
      String type,
      String reduction,
      int channel)
      implements JobNode {

    /** Returns whether {@code rank} is in a group. */
    boolean has(int rank) {
      return groups.stream().anyMatch(group -> group.contains(rank));
    }
  }

  /** A message. */
  record Message(int source, int target, int channel, int size) implements JobNode {}

  /** One side of a message, as a mutation leaves it. */
  record Half(Message message, boolean isSend) implements JobNode {}

  /** Goes round {@code rounds} times, or as often as {@code decider} says. */
  record Loop(Decider decider, int rounds, ImmutableList<JobNode> body) implements JobNode {}

  /**
   * Runs one of two bodies.
   *
   * @param number which way a constant goes, or below which number a rank goes the first way
   */
  record Branch(
      Decider decider, int number, ImmutableList<JobNode> first, ImmutableList<JobNode> second)
      implements JobNode {}
}
