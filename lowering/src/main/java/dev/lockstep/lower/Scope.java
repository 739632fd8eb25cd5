package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Value;

/**
 * Everything that lowers calls within one block.
 *
 * @param emit writes operations
 * @param grid all devices
 * @param ranks what differs from rank to rank
 * @param collectives XLA's collectives over groups of ranks
 * @param reductions torch's reductions
 * @param exact sums of which only one part is not zero
 */
record Scope(
    Emitter emit,
    DeviceGrid grid,
    RankValues ranks,
    GridCollectives collectives,
    Reductions reductions,
    ExactSum exact) {

  /** Returns a scope for one block. */
  static Scope of(OpBuilder build, DeviceGrid grid) {
    Emitter emit = new Emitter(build);
    RankValues ranks = new RankValues(emit, grid);
    GridCollectives collectives = new GridCollectives(emit, grid, ranks);
    return new Scope(
        emit,
        grid,
        ranks,
        collectives,
        new Reductions(emit, ranks, collectives),
        new ExactSum(emit, ranks, collectives));
  }

  /**
   * Returns {@code values} on the ranks in a group; elsewhere operand i where it has the type of
   * result i, else zeros.
   */
  ImmutableList<Value> keepOutside(C10dCall call, CallGroups groups, ImmutableList<Value> values) {
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (int i = 0; i < values.size(); i++) {
      Value value = values.get(i);
      boolean same = i < call.operands().size() && call.type(i).isSameShape(Emitter.type(value));
      if (groups.isEverybody()) {
        out.add(value);
      } else {
        Value own = same ? call.operands().get(i) : emit.zeros(Emitter.type(value));
        out.add(ranks.choose(groups.members(), value, own));
      }
    }
    return out.build();
  }
}
