package dev.lockstep.lower.fx.graph;

import com.google.common.collect.ImmutableMap;
import dev.lockstep.lower.fx.aten.GroupTable;

/**
 * What a graph's text leaves open.
 *
 * @param groups which ranks the names of process groups mean
 * @param bindings the sizes that symbols such as {@code s0} stand for
 * @param types what inputs without a type in the text are, such as {@code f32[4, 8]}, by name
 * @param mutatedInputs whether inputs may be written to at the end of a graph, and their new values
 *     become further results
 */
public record FxOptions(
    GroupTable groups,
    ImmutableMap<String, Long> bindings,
    ImmutableMap<String, String> types,
    boolean mutatedInputs) {
  /** No table of groups, no symbol, no type, inputs are not written to. */
  public static final FxOptions DEFAULT =
      new FxOptions(GroupTable.UNKNOWN, ImmutableMap.of(), ImmutableMap.of(), false);

  /** Returns these options with other groups. */
  public FxOptions withGroups(GroupTable table) {
    return new FxOptions(table, bindings, types, mutatedInputs);
  }

  /** Returns these options with symbols bound. */
  public FxOptions withBindings(ImmutableMap<String, Long> symbols) {
    return new FxOptions(groups, symbols, types, mutatedInputs);
  }

  /** Returns these options with types of inputs that have none in the text. */
  public FxOptions withTypes(ImmutableMap<String, String> named) {
    return new FxOptions(groups, bindings, named, mutatedInputs);
  }

  /** Returns these options with inputs that may be written to. */
  public FxOptions withMutatedInputs(boolean allowed) {
    return new FxOptions(groups, bindings, types, allowed);
  }
}
