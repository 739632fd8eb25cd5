package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.type.TensorType;

/** What the text says of the results of a call that is not known. */
public interface Outcome {
  /** Returns whether the results are the elements of a tuple. */
  boolean isTuple();

  /** Returns the types of the results, one when it is no tuple; empty when the text says none. */
  ImmutableList<TensorType> types();
}
