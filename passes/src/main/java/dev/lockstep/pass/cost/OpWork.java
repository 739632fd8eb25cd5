package dev.lockstep.pass.cost;

import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.compute.Convolution;
import dev.lockstep.hlo.op.compute.Dot;
import dev.lockstep.hlo.op.compute.DotGeneral;
import dev.lockstep.hlo.op.compute.RaggedDot;
import dev.lockstep.hlo.op.control.Fusion;
import dev.lockstep.hlo.op.data.Bitcast;
import dev.lockstep.hlo.op.data.Broadcast;
import dev.lockstep.hlo.op.data.BroadcastInDim;
import dev.lockstep.hlo.op.data.Constant;
import dev.lockstep.hlo.op.data.Iota;
import dev.lockstep.hlo.op.data.Reshape;
import dev.lockstep.hlo.op.data.Slice;
import dev.lockstep.hlo.op.data.Transpose;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;

/**
 * What an operation computes.
 *
 * @param products floating point operations in matrix products and convolutions, a multiplication
 *     and an addition counted as two
 * @param others operations of all other kinds, one an element
 */
record OpWork(double products, double others) {
  private static final OpWork NONE = new OpWork(0, 0);

  /** Ops besides those on elements that XLA fuses into what uses them. */
  private static final ImmutableSet<OpDef> FUSED =
      ImmutableSet.of(
          Bitcast.DEF,
          Broadcast.DEF,
          BroadcastInDim.DEF,
          Constant.DEF,
          Iota.DEF,
          Reshape.DEF,
          Slice.DEF,
          Transpose.DEF);

  /** Returns whether {@code operation} costs no memory traffic of its own when fused. */
  static boolean isFusible(Operation operation) {
    return operation.def().has(Trait.ELEMENTWISE) || FUSED.contains(operation.def());
  }

  /** Returns what {@code operation} computes, bodies of fusions included. */
  static OpWork of(Operation operation, Module module) {
    if (operation.is(Fusion.DEF)) {
      OpWork sum = NONE;
      for (Block body : Bodies.of(operation, module)) {
        for (Operation inner : body.operations()) {
          sum = sum.plus(of(inner, module));
        }
      }
      return sum;
    }
    double products = products(operation);
    if (products > 0) {
      return new OpWork(products, 0);
    }
    if (FUSED.contains(operation.def())) {
      return NONE;
    }
    long elements = 0;
    for (Type type : operation.resultTypes()) {
      elements = Math.max(elements, Sizes.count(type));
    }
    for (Type type : operation.operandTypes()) {
      elements = Math.max(elements, Sizes.count(type));
    }
    return new OpWork(0, elements);
  }

  private OpWork plus(OpWork other) {
    return new OpWork(products + other.products, others + other.others);
  }

  private static double products(Operation operation) {
    if (operation.results().size() != 1
        || operation.operands().size() < 2
        || !(operation.result().type() instanceof TensorType result)
        || !(operation.operand(0).type() instanceof TensorType left)
        || !(operation.operand(1).type() instanceof TensorType right)
        || !result.isStatic()
        || !left.isStatic()
        || !right.isStatic()) {
      return 0;
    }
    double factor = result.element().isComplex() ? 8 : 2;
    if (operation.is(DotGeneral.DEF)) {
      return factor * result.count() * size(left, DotGeneral.LHS_CONTRACTING, operation);
    }
    if (operation.is(RaggedDot.DEF)) {
      return factor * result.count() * size(left, RaggedDot.LHS_CONTRACTING, operation);
    }
    if (operation.is(Dot.DEF)) {
      return factor * result.count() * (left.rank() == 0 ? 1 : left.dim(left.rank() - 1));
    }
    if (operation.is(Convolution.DEF)) {
      // Every output element sums over a kernel window of its input features.
      return factor * result.count() * right.count() / Convolution.outputFeatures(operation);
    }
    return 0;
  }

  private static double size(
      TensorType type, AttrKey<ImmutableLongArray> dimensions, Operation operation) {
    ImmutableLongArray contracted = dimensions.getOr(operation, ImmutableLongArray.of());
    double size = 1;
    for (int i = 0; i < contracted.length(); i++) {
      size *= type.dim((int) contracted.get(i));
    }
    return size;
  }
}
