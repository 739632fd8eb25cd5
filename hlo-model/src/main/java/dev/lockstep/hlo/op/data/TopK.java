package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * {@code chlo.top_k}, {@code topk} in HLO: largest elements of the last dimension and their places.
 */
public final class TopK {
  /** How many elements. */
  public static final AttrKey<Long> K = AttrKeys.integer("k", "k");

  /** Whether HLO's op picks the largest elements; absent means true. */
  public static final AttrKey<Boolean> LARGEST = AttrKeys.flag("", "largest");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.top_k")
          .hlo("topk")
          .summary("Largest elements of the last dimension and their places")
          .attributes(K, LARGEST)
          .givesAll(TypeClass.TENSOR.orPerAxis().orUnranked())
          .constraint(
              "C1",
              "the operand has as many elements as are wanted",
              TensorRule.of(TopK::checkSize))
          .constraint(
              "C2",
              "results are the first elements and their places",
              TensorRule.of(TopK::checkResults))
          .local(TopK::eval)
          .build();

  private TopK() {}

  private static void checkSize(TensorRule.Case it) {
    Long wanted = K.find(it.operation());
    int last = it.operand(0).rank() - 1;
    if (it.require(last >= 0, "the operand %s has no dimension", it.operand(0)) && wanted != null) {
      long size = it.operand(0).dim(last);
      it.require(
          size == TensorType.DYNAMIC || size >= wanted,
          "the last dimension of %s has less than %d elements",
          it.operand(0),
          wanted);
    }
  }

  private static void checkResults(TensorRule.Case it) {
    Long wanted = K.find(it.operation());
    int last = it.operand(0).rank() - 1;
    for (int i = 0; wanted != null && last >= 0 && i < it.results().size(); i++) {
      long[] dims = it.operand(0).dims().toArray();
      dims[last] = wanted;
      it.require(
          TensorRule.agreeInShape(TensorType.of(it.result(i).element(), dims), it.result(i))
              && (i > 0 || it.sameElements(it.operand(0), it.result(0))),
          "result %d of type %s does not hold the first %d of %s",
          i,
          it.result(i),
          wanted,
          it.operand(0));
    }
  }

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = (Literal) operands.get(0);
    int k = Math.toIntExact(K.get(operation));
    boolean largest = LARGEST.getOr(operation, true);
    int last = operand.type().rank() - 1;
    int size = Math.toIntExact(operand.dims().get(last));
    long[] dims = operand.dims().toArray();
    dims[last] = k;
    LiteralBuilder values = new LiteralBuilder(TensorType.of(operand.element(), dims));
    LiteralBuilder indices = new LiteralBuilder(TensorType.of(ElementType.I32, dims));
    Comparator<Integer> order = Comparator.comparingLong(i -> sortKey(operand, i));
    List<Integer> row = new ArrayList<>();
    for (int from = 0; size > 0 && from < operand.count(); from += size) {
      row.clear();
      for (int i = 0; i < size; i++) {
        row.add(from + i);
      }
      row.sort(largest ? order.reversed() : order);
      for (int i = 0; i < k; i++) {
        int at = from / size * k + i;
        values.copy(at, operand, row.get(i));
        indices.setLong(at, row.get(i) - from);
      }
    }
    return ImmutableList.of(values.build(), indices.build());
  }

  /** A number that grows with the element: for floats their total order, NaN on top. */
  private static long sortKey(Literal literal, int i) {
    ElementType element = literal.element();
    if (element.isFloat()) {
      long bits = literal.getBits(i) << (64 - element.bits()) >> (64 - element.bits());
      return bits < 0 ? bits ^ Long.MAX_VALUE : bits;
    }
    return element == ElementType.UI64 ? literal.getLong(i) ^ Long.MIN_VALUE : literal.getLong(i);
  }
}
