package dev.lockstep.lower.fx.graph;

import com.google.common.collect.ImmutableMap;
import dev.lockstep.lower.fx.aten.GroupTable;

/**
 * What a graph's text leaves open.
 *
 * @param groups which ranks the names of process groups mean
 * @param bindings the sizes that symbols such as {@code s0} stand for
 * @param mutatedInputs whether inputs may be written to at the end of a graph, and their new values
 *     become further results
 */
public record FxOptions(
    GroupTable groups, ImmutableMap<String, Long> bindings, boolean mutatedInputs) {
  /** No table of groups, no symbol, inputs are not written to. */
  public static final FxOptions DEFAULT =
      new FxOptions(GroupTable.UNKNOWN, ImmutableMap.of(), false);

  /** Returns these options with other groups. */
  public FxOptions withGroups(GroupTable table) {
    return new FxOptions(table, bindings, mutatedInputs);
  }

  /** Returns these options with symbols bound. */
  public FxOptions withBindings(ImmutableMap<String, Long> symbols) {
    return new FxOptions(groups, symbols, mutatedInputs);
  }

  /** Returns these options with inputs that may be written to. */
  public FxOptions withMutatedInputs(boolean allowed) {
    return new FxOptions(groups, bindings, allowed);
  }
}
