package dev.lockstep.pass.region.repair;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.compute.Reduce;
import dev.lockstep.hlo.op.data.Constant;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.region.align.AlignedBlock;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;

/**
 * Reductions whose reducer holds a literal that differs. A reducer takes nothing but elements, so
 * the literal is reduced along: a tensor full of it, whose every element the reducer finds at its
 * side, and which it gives back as it is.
 */
record ReducerRule(RepairOptions options) implements MergeRule {
  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    return operation.is(Reduce.DEF)
        && operation.regions().size() == 1
        && operation.isUniform()
        && Differences.of(operation).isEmpty()
        && !differing(operation.regions().get(0)).isEmpty();
  }

  private static ImmutableList<AlignedOp> differing(AlignedBlock body) {
    return body.operations().stream()
        .filter(it -> it.is(Constant.DEF) && !Differences.of(it).isEmpty() && it.isUniform())
        .collect(ImmutableList.toImmutableList());
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    OpBuilder builder = merge.builder();
    ImmutableList<AlignedOp> constants = differing(operation.regions().get(0));
    int count = operation.operands().size() / 2;
    TensorType shape = operation.operand(0).tensor(0);
    ImmutableList.Builder<Value> operands = ImmutableList.builder();
    ImmutableList.Builder<Value> starts = ImmutableList.builder();
    ImmutableList.Builder<Type> types = ImmutableList.builder();
    for (int i = 0; i < count; i++) {
      operands.add(merge.value(operation.operand(i)));
      starts.add(merge.value(operation.operand(count + i)));
    }
    operation.results().forEach(result -> types.add(merge.type(result)));
    TensorType reduced = operation.result().tensor(0);
    for (AlignedOp constant : constants) {
      AlignedValue literal = constant.result();
      Value scalar = new LiteralRule(options).outside(constant, merge);
      TensorType element = literal.tensor(0);
      operands.add(builder.broadcastInDim(scalar, TensorType.of(element.element(), shape.dims())));
      starts.add(scalar);
      types.add(TensorType.of(element.element(), reduced.dims()));
    }
    Region body = merge.reducer(operation.regions().get(0), count, constants);
    Operation made =
        builder.emit(
            Reduce.DEF,
            ImmutableList.<Value>builder().addAll(operands.build()).addAll(starts.build()).build(),
            types.build(),
            operation.base().attributes(),
            ImmutableList.of(body));
    return made.results().subList(0, count);
  }
}
