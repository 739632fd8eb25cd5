package dev.lockstep.pass.region.shards;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.Semantics.Control;
import dev.lockstep.hlo.op.compute.Sort;
import dev.lockstep.hlo.op.data.BroadcastInDim;
import dev.lockstep.hlo.op.data.Iota;
import dev.lockstep.hlo.op.data.Reverse;
import dev.lockstep.hlo.op.data.Transpose;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;
import dev.lockstep.pass.region.merge.Sizes;

/**
 * Operations that give a rank's own elements from its own elements, whatever stands behind them:
 * they stay as they are, with padded types.
 */
final class PassThroughRule implements MergeRule {
  static final PassThroughRule INSTANCE = new PassThroughRule();

  private static final ImmutableSet<OpDef> ALWAYS = ImmutableSet.of(Transpose.DEF, Iota.DEF);

  private static final ImmutableSet<Semantics> CONTROL =
      ImmutableSet.of(
          Control.CALL,
          Control.WHILE,
          Control.IF,
          Control.CASE,
          Control.CONDITIONAL,
          Control.FORWARD,
          Control.TUPLE,
          Control.GET_TUPLE_ELEMENT,
          Control.PARAMETER,
          Control.RETURN);

  private PassThroughRule() {}

  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    if (operation.isUniform() || !Differences.of(operation).isEmpty()) {
      return false;
    }
    OpDef def = operation.def();
    if (operation.is(BroadcastInDim.DEF)) {
      return isBroadcastAlike(operation, merge);
    }
    if (operation.is(Sort.DEF)) {
      int rank = operation.operand(0).tensor(0).rank();
      long dim = Sort.DIMENSION.getOr(operation.base(), -1L);
      return isEven(operation, merge, Math.toIntExact(dim < 0 ? dim + rank : dim));
    }
    if (operation.is(Reverse.DEF)) {
      return Reverse.DIMENSIONS.get(operation.base()).stream()
          .allMatch(d -> isEven(operation, merge, (int) d));
    }
    return def.has(Trait.ELEMENTWISE)
        || def.isTerminator()
        || ALWAYS.contains(def)
        || CONTROL.contains(def.semantics());
  }

  private static boolean isEven(AlignedOp operation, BlockMerge merge, int dim) {
    return operation.operands().stream().noneMatch(it -> merge.sizes().isUneven(it, dim));
  }

  /**
   * A dimension is either as large as the operand's on every rank, or made of one on every rank.
   */
  private static boolean isBroadcastAlike(AlignedOp operation, BlockMerge merge) {
    Operation base = operation.base();
    ImmutableLongArray dims = BroadcastInDim.DIMENSIONS.getOr(base, ImmutableLongArray.of());
    AlignedValue operand = operation.operand(0);
    if (!(operand.base().type() instanceof TensorType type) || dims.length() != type.rank()) {
      return false;
    }
    for (int i = 0; i < dims.length(); i++) {
      ImmutableLongArray from = merge.sizes().valid(operand.sizes(i));
      ImmutableLongArray to =
          merge.sizes().valid(operation.result().sizes(Math.toIntExact(dims.get(i))));
      boolean expands = Sizes.isEqual(from) && from.get(0) == 1;
      if (!from.equals(to) && !expands) {
        return false;
      }
    }
    return true;
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    return merge.copy(operation);
  }
}
