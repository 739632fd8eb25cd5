package dev.lockstep.pass.region.shards;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.compute.Reduce;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reductions over uneven dimensions: what is no rank's own becomes what changes no result. */
final class ShardReduceRule implements MergeRule {
  static final ShardReduceRule INSTANCE = new ShardReduceRule();

  private ShardReduceRule() {}

  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    return operation.is(Reduce.DEF)
        && !operation.isUniform()
        && Differences.of(operation).isEmpty();
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    List<Integer> dims = new ArrayList<>();
    AlignedValue input = operation.operand(0);
    Reduce.DIMENSIONS.get(operation.base()).forEach(d -> dims.add(Math.toIntExact(d)));
    if (dims.stream().noneMatch(d -> merge.sizes().isUneven(input, d))) {
      return merge.copy(operation);
    }
    ElementType element = input.tensor(0).element();
    Literal identity = operation.operands().size() == 2 ? identity(operation, element) : null;
    if (identity == null) {
      throw merge.refusal(
          "repair-reducer",
          "reduce over an uneven dimension with a reducer of which no value is known that changes"
              + " nothing",
          operation);
    }
    Value filler = merge.builder().constant(identity);
    Value own = ShardMask.apply(merge.value(input), input, dims, filler, merge);
    merge.step(
        "shape", "a reduction over uneven shards counts a rank's own elements only", operation);
    return merge.copy(operation, ImmutableList.of(own, merge.value(operation.operand(1))));
  }

  private static @Nullable Literal identity(AlignedOp operation, ElementType element) {
    Block body =
        operation.regions().isEmpty()
            ? operation.callees().get(0).base().body()
            : operation.regions().get(0).base();
    ReductionKind kind = ReductionKind.of(body);
    if (kind == null || !kind.supports(element)) {
      return null;
    }
    // Of the two zeros only -0.0 leaves a sum of negative zeros what it is.
    return kind == ReductionKind.ADD && element.isFloat()
        ? Literal.scalar(element, -0.0)
        : kind.identity(element);
  }
}
