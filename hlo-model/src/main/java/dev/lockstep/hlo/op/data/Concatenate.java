package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.type.TensorType;

/** {@code stablehlo.concatenate}: joins operands along a dimension. */
public final class Concatenate {
  /** The dimension along which operands are joined; HLO writes a list of one. */
  public static final AttrKey<Long> DIMENSION = DataKeys.oneOf("dimension", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.concatenate")
          .hlo("concatenate")
          .summary("Joins operands along a dimension")
          .attributes(DIMENSION)
          .takesAll(TypeClass.TENSOR)
          .gives(TypeClass.TENSOR)
          .constraint(
              "C1", "operands have elements of one type", TensorRule.of(Concatenate::checkElements))
          .constraint(
              "C2",
              "operands differ only along the dimension",
              TensorRule.of(Concatenate::checkShapes))
          .constraint(
              "C3",
              "there is an operand",
              TensorRule.of(it -> it.require(it.operands() > 0, "no operands")))
          .constraint(
              "C4",
              "the dimension is one of the operands",
              TensorRule.of(
                  it ->
                      ShapeRules.dimension(
                          it,
                          DIMENSION.get(it.operation()),
                          it.operands() == 0 ? 0 : it.operand(0).rank())))
          .constraint(
              "C6", "the result has the sum of the sizes", TensorRule.of(Concatenate::checkResult))
          .local(Concatenate::eval)
          .build();

  private Concatenate() {}

  private static boolean isSound(TensorRule.Case it) {
    long dimension = DIMENSION.get(it.operation());
    for (int i = 0; i < it.operands(); i++) {
      if (it.operand(i).rank() != it.result().rank()) {
        return false;
      }
    }
    return it.operands() > 0 && dimension >= 0 && dimension < it.result().rank();
  }

  private static void checkElements(TensorRule.Case it) {
    for (int i = 0; i < it.operands(); i++) {
      it.require(
          it.sameElements(it.operand(i), it.result()),
          "operand %s has elements of type %s, the result of type %s",
          i,
          it.operand(i).element(),
          it.result().element());
    }
  }

  private static void checkShapes(TensorRule.Case it) {
    long dimension = DIMENSION.get(it.operation());
    for (int i = 0; i < it.operands(); i++) {
      TensorType first = it.operand(0);
      TensorType other = it.operand(i);
      boolean same = first.rank() == other.rank();
      for (int d = 0; same && d < first.rank(); d++) {
        same = d == dimension || TensorRule.agree(first.dim(d), other.dim(d));
      }
      it.require(
          same, "operands %s and %s differ in more than dimension %s", first, other, dimension);
    }
  }

  private static void checkResult(TensorRule.Case it) {
    if (!isSound(it)) {
      return;
    }
    int dimension = Math.toIntExact(DIMENSION.get(it.operation()));
    long[] dims = it.operand(0).dims().toArray();
    long total = 0;
    for (int i = 0; i < it.operands(); i++) {
      long size = it.operand(i).dim(dimension);
      total =
          size == TensorType.DYNAMIC || total == TensorType.DYNAMIC
              ? TensorType.DYNAMIC
              : total + size;
    }
    dims[dimension] = total;
    ShapeRules.result(it, dims);
  }

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    ImmutableList.Builder<Literal> parts = ImmutableList.builder();
    for (Datum operand : operands) {
      parts.add((Literal) operand);
    }
    return ImmutableList.of(
        Movement.concatenate(parts.build(), Math.toIntExact(DIMENSION.get(operation))));
  }
}
