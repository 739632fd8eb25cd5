package dev.lockstep.pass.region.shards;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.compute.Dot;
import dev.lockstep.hlo.op.compute.DotGeneral;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;
import java.util.ArrayList;
import java.util.List;

/**
 * Products that contract an uneven dimension: both sides get zeros behind a rank's own elements,
 * since zero times a NaN is one. The zeros differ in sign, so that the products are -0.0, which
 * alone changes no sum.
 */
final class ShardDotRule implements MergeRule {
  static final ShardDotRule INSTANCE = new ShardDotRule();

  private ShardDotRule() {}

  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    return (operation.is(DotGeneral.DEF) || operation.is(Dot.DEF))
        && !operation.isUniform()
        && Differences.of(operation).isEmpty();
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    AlignedValue lhs = operation.operand(0);
    AlignedValue rhs = operation.operand(1);
    boolean isDot = operation.is(Dot.DEF);
    List<Integer> left =
        isDot ? List.of(lhs.tensor(0).rank() - 1) : dims(operation, DotGeneral.LHS_CONTRACTING);
    List<Integer> right = isDot ? List.of(0) : dims(operation, DotGeneral.RHS_CONTRACTING);
    ImmutableList.Builder<Value> operands = ImmutableList.builder();
    operands.add(masked(lhs, left, -0.0, merge)).add(masked(rhs, right, 0.0, merge));
    for (int i = 2; i < operation.operands().size(); i++) {
      operands.add(merge.value(operation.operand(i)));
    }
    return merge.copy(operation, operands.build());
  }

  private static List<Integer> dims(AlignedOp operation, AttrKey<ImmutableLongArray> key) {
    List<Integer> out = new ArrayList<>();
    key.getOr(operation.base(), ImmutableLongArray.of()).forEach(d -> out.add(Math.toIntExact(d)));
    return out;
  }

  private static Value masked(
      AlignedValue aligned, List<Integer> dims, double zero, BlockMerge merge) {
    Value value = merge.value(aligned);
    if (dims.stream().noneMatch(d -> merge.sizes().isUneven(aligned, d))) {
      return value;
    }
    ElementType element = aligned.tensor(0).element();
    Literal filler =
        element.isFloat() ? Literal.scalar(element, zero) : Literal.zeros(TensorType.of(element));
    return ShardMask.apply(value, aligned, dims, merge.builder().constant(filler), merge);
  }
}
