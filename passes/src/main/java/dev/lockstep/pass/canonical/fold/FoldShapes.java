package dev.lockstep.pass.canonical.fold;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.data.BitcastConvert;
import dev.lockstep.hlo.op.data.BroadcastInDim;
import dev.lockstep.hlo.op.data.Concatenate;
import dev.lockstep.hlo.op.data.DynamicSlice;
import dev.lockstep.hlo.op.data.Pad;
import dev.lockstep.hlo.op.data.Reshape;
import dev.lockstep.hlo.op.data.Slice;
import dev.lockstep.hlo.op.data.Transpose;
import dev.lockstep.hlo.op.elementwise.Convert;
import dev.lockstep.hlo.type.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Data movement that moves nothing, and two moves that are one. Dynamic shapes are left alone.
 *
 * <ul>
 *   <li>reshape, convert, bitcast-convert to the same type: the operand
 *   <li>slice and dynamic-slice of everything, transpose and broadcast in order, pad by nothing,
 *       concatenate of one: the operand
 *   <li>reshape of reshape: one reshape; transpose of transpose: one transpose
 * </ul>
 */
public final class FoldShapes implements FoldRule {
  /** Creates the rule. */
  public FoldShapes() {}

  @Override
  public @Nullable ImmutableList<Value> apply(Operation operation, Facts facts, OpBuilder builder) {
    if (operation.operands().isEmpty()
        || operation.results().size() != 1
        || !(operation.operand(0).type() instanceof TensorType from)
        || !(operation.result().type() instanceof TensorType to)
        || !from.isStatic()
        || !to.isStatic()) {
      return null;
    }
    if (Facts.isInterchangeable(from, to) && movesNothing(operation, from)) {
      return ImmutableList.of(operation.operand(0));
    }
    Operation inner = facts.definition(operation.operand(0));
    if (inner == null || inner.def() != operation.def()) {
      return null;
    }
    if (operation.is(Reshape.DEF)) {
      return ImmutableList.of(builder.emit(Reshape.DEF, inner.operands(), to, Attributes.EMPTY));
    }
    return operation.is(Transpose.DEF) ? transposeOfTranspose(operation, inner, builder) : null;
  }

  private static boolean movesNothing(Operation operation, TensorType from) {
    if (operation.is(Reshape.DEF)
        || operation.is(Convert.DEF)
        || operation.is(BitcastConvert.DEF)
        || operation.is(DynamicSlice.DEF)) {
      return true;
    }
    if (operation.is(Concatenate.DEF)) {
      return operation.operands().size() == 1;
    }
    if (operation.is(Slice.DEF)) {
      // A step backwards would keep the shape too; the grammar of slices has none.
      return isFilledWith(Slice.START.get(operation), 0);
    }
    if (operation.is(Transpose.DEF)) {
      return isIota(Transpose.PERMUTATION.get(operation));
    }
    if (operation.is(BroadcastInDim.DEF)) {
      return isIota(BroadcastInDim.DIMENSIONS.getOr(operation, ImmutableLongArray.of()));
    }
    if (operation.is(Pad.DEF)) {
      // Low and high edges may cancel out in the shape, and move elements all the same.
      return isFilledWith(Pad.LOW.get(operation), 0)
          && isFilledWith(Pad.HIGH.get(operation), 0)
          && isFilledWith(Pad.INTERIOR.getOr(operation, zeros(from.rank())), 0);
    }
    return false;
  }

  private static @Nullable ImmutableList<Value> transposeOfTranspose(
      Operation outer, Operation inner, OpBuilder builder) {
    ImmutableLongArray first = Transpose.PERMUTATION.get(inner);
    ImmutableLongArray second = Transpose.PERMUTATION.get(outer);
    long[] both = new long[second.length()];
    for (int i = 0; i < both.length; i++) {
      both[i] = first.get((int) second.get(i));
    }
    Value result = builder.transpose(inner.operand(0), both);
    return Facts.isInterchangeable(result.type(), outer.result().type())
        ? ImmutableList.of(result)
        : null;
  }

  private static ImmutableLongArray zeros(int rank) {
    return ImmutableLongArray.copyOf(new long[rank]);
  }

  private static boolean isFilledWith(ImmutableLongArray values, long value) {
    return values.stream().allMatch(each -> each == value);
  }

  private static boolean isIota(ImmutableLongArray values) {
    for (int i = 0; i < values.length(); i++) {
      if (values.get(i) != i) {
        return false;
      }
    }
    return true;
  }
}
