package dev.lockstep.lower.fx.graph;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.lower.fx.aten.Outcome;

/**
 * What the text says of the results of a statement.
 *
 * @param isTuple whether the statement's name is only used with an index
 * @param types the types of the elements, or the one type; empty when the text says none
 */
record Outcomes(boolean isTuple, ImmutableList<TensorType> types) implements Outcome {
  /** The text says nothing: a call inside an expression. */
  static final Outcomes NOTHING = new Outcomes(false, ImmutableList.of());
}
