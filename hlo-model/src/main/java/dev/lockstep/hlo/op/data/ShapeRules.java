package dev.lockstep.hlo.op.data;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.type.TensorType;

/** Rules about dimensions and shapes that several ops have. */
final class ShapeRules {
  private ShapeRules() {}

  /** Requires that {@code dimension} is one of {@code rank}. */
  static void dimension(TensorRule.Case it, long dimension, int rank) {
    it.require(
        dimension >= 0 && dimension < rank,
        "dimension %s is not one of a tensor of rank %s",
        dimension,
        rank);
  }

  /** Requires that all {@code dimensions} are among {@code rank}. */
  static void dimensions(TensorRule.Case it, ImmutableLongArray dimensions, int rank) {
    it.require(
        within(dimensions, rank),
        "dimensions %s are not those of a tensor of rank %s",
        dimensions,
        rank);
  }

  static boolean within(ImmutableLongArray dimensions, int rank) {
    return dimensions.stream().allMatch(d -> d >= 0 && d < rank);
  }

  /** Requires that no dimension stands twice. */
  static void unique(TensorRule.Case it, ImmutableLongArray dimensions) {
    it.require(
        dimensions.stream().distinct().count() == dimensions.length(),
        "a dimension stands twice in %s",
        dimensions);
  }

  /** Operand {@code index} has a size for each dimension of the result, which it is. */
  static void shapeOperand(TensorRule.Case it, int index) {
    TensorType sizes = it.operand(index);
    if (!it.require(
        sizes.rank() == 1 && TensorRule.agree(sizes.dim(0), it.result().rank()),
        "%s sizes for a result of rank %d",
        sizes,
        it.result().rank())) {
      return;
    }
    ImmutableLongArray wanted = it.constant(index);
    for (int d = 0; wanted != null && d < it.result().rank(); d++) {
      if (!it.require(
          TensorRule.agree(wanted.get(d), it.result().dim(d)) && wanted.get(d) >= 0,
          "the sizes are %s but the result has type %s",
          wanted,
          it.result())) {
        return;
      }
    }
  }

  /** Requires that operand 0 and the result have elements of one type. */
  static void oneElement(TensorRule.Case it) {
    it.require(
        it.sameElements(it.operand(0), it.result()),
        "the operand has elements of type %s but the result of type %s",
        it.operand(0).element(),
        it.result().element());
  }

  /** Requires that all sizes of the result are known but for one that is bounded. */
  static void staticOrBounded(TensorRule.Case it) {
    int dynamic = 0;
    boolean bounded = true;
    for (int d = 0; d < it.result().rank(); d++) {
      if (it.result().dim(d) == TensorType.DYNAMIC) {
        dynamic++;
        bounded &= TensorRule.bound(it.result(), d) != Long.MAX_VALUE;
      }
    }
    it.require(
        dynamic == 0 || dynamic == 1 && bounded,
        "the result %s must have known sizes, or one that is bounded",
        it.result());
  }

  /** Requires that the result has the sizes {@code dims}. */
  static void result(TensorRule.Case it, long[] dims) {
    TensorType wanted = TensorType.of(it.result().element(), dims);
    it.require(
        TensorRule.agreeInShape(wanted, it.result()),
        "the result has type %s but its shape must be that of %s",
        it.result(),
        wanted);
  }

  /**
   * Requires an index for every dimension of operand 0, from operand {@code first} on; old HLO
   * gives them as one vector.
   */
  static void starts(TensorRule.Case it, int first) {
    int given = it.operands() - first;
    boolean vector = given == 1 && it.operand(first).rank() == 1;
    it.require(
        vector || given == it.operand(0).rank(),
        "%s indices for an operand of rank %s",
        given,
        it.operand(0).rank());
  }

  /** Requires that operands from {@code first} on have one type. */
  static void oneType(TensorRule.Case it, int first) {
    for (int i = first + 1; i < it.operands(); i++) {
      if (!it.require(
          TensorRule.agree(it.operand(first), it.operand(i)),
          "indices have types %s and %s",
          it.operand(first),
          it.operand(i))) {
        return;
      }
    }
  }

  /** Returns the number of bits of a static type. */
  static long bits(TensorType type) {
    return type.count() * type.element().bits();
  }
}
