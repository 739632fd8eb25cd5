package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.ReducerRule;
import dev.lockstep.hlo.op.Semantics.BodyRunner;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Index;
import dev.lockstep.hlo.op.kernel.Order;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;

/** {@code stablehlo.sort}. */
public final class Sort {
  /** The dimension; the last when absent. */
  public static final AttrKey<Long> DIMENSION = AttrKeys.integerOrList("dimension", "dimensions");

  /** Whether equal elements keep their order; it always does here. */
  public static final AttrKey<Boolean> IS_STABLE = AttrKeys.flag("is_stable", "is_stable");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.sort")
          .hlo("sort")
          .summary("Sorts tensors together along a dimension")
          .attributes(DIMENSION, IS_STABLE)
          .bodies("to_apply")
          .takesAll(TypeClass.TENSOR)
          .givesAll(TypeClass.TENSOR)
          .constraint("C1", "there is an operand", Sort::checkCount)
          .constraint(
              "C2", "results have the types of the operands", TensorRule.of(Sort::checkResults))
          .constraint("C3", "operands have one shape", TensorRule.of(Sort::checkShapes))
          .constraint(
              "C4", "the dimension is one of the operands", TensorRule.of(Sort::checkDimension))
          .bodyConstraint(
              "C5", "the comparator takes two elements of each operand", Sort::checkComparator)
          .regional(Sort::eval)
          .build();

  private Sort() {}

  private static void checkCount(Operation operation, String code, DiagnosticSink sink) {
    if (operation.operands().isEmpty()) {
      sink.error(code, "there is nothing to sort", operation.location());
    }
  }

  private static void checkResults(TensorRule.Case it) {
    for (int i = 0; i < Math.min(it.operands(), it.results().size()); i++) {
      it.require(
          it.agree(it.operand(i), it.result(i)),
          "operand %d has type %s but the result has type %s",
          i,
          it.operand(i),
          it.result(i));
    }
  }

  private static void checkComparator(
      Operation operation, ImmutableList<Block> bodies, String code, DiagnosticSink sink) {
    if (bodies.size() != 1) {
      return;
    }
    ImmutableList<Type> taken = ReducerRule.parameters(bodies.get(0));
    ImmutableList<Type> given = ReducerRule.given(bodies.get(0));
    ImmutableList.Builder<Type> elements = ImmutableList.builder();
    for (Value operand : operation.operands()) {
      if (!(operand.type() instanceof TensorType)) {
        return;
      }
      TensorType scalar = TensorType.of(((TensorType) operand.type()).element());
      elements.add(scalar, scalar);
    }
    ImmutableList<Type> wanted = elements.build();
    boolean fits = taken.size() == wanted.size() && given.size() == 1;
    for (int i = 0; fits && i < taken.size(); i++) {
      fits = taken.get(i).isSameShape(wanted.get(i));
    }
    if (!fits || !given.get(0).isSameShape(TensorType.of(ElementType.I1))) {
      sink.error(
          code,
          String.format(
              "the comparator takes %s and gives %s, must take %s and give a boolean",
              taken, given, wanted),
          operation.location());
    }
  }

  private static ImmutableList<Datum> eval(
      Operation operation, ImmutableList<Datum> operands, BodyRunner bodies) {
    ImmutableList<Literal> inputs = Results.literals(operation, operands, 0, operands.size());
    int[] dims = Index.ints(inputs.get(0).dims());
    long written = DIMENSION.getOr(operation, -1L);
    int dim = Math.toIntExact(written < 0 ? written + dims.length : written);
    int size = dims[dim];
    int stride = Index.strides(dims)[dim];
    int[] places = new int[inputs.get(0).count()];
    Order order = Order.of(bodies, 0, inputs);
    int[] line = new int[size];
    for (int at = 0; at < places.length; at++) {
      if (at / stride % size != 0) {
        continue;
      }
      for (int k = 0; k < size; k++) {
        line[k] = at + k * stride;
      }
      Order.sort(line, order);
      for (int k = 0; k < size; k++) {
        places[at + k * stride] = line[k];
      }
    }
    ImmutableList.Builder<Datum> out = ImmutableList.builder();
    for (Literal input : inputs) {
      LiteralBuilder sorted = new LiteralBuilder(input.type());
      for (int i = 0; i < places.length; i++) {
        sorted.copy(i, input, places[i]);
      }
      out.add(sorted.build());
    }
    return out.build();
  }

  private static void checkShapes(TensorRule.Case it) {
    for (int i = 1; i < it.operands(); i++) {
      it.require(
          TensorRule.agreeInShape(it.operand(0), it.operand(i)),
          "operands %s and %s differ in shape",
          it.operand(0),
          it.operand(i));
    }
  }

  private static void checkDimension(TensorRule.Case it) {
    long dim = DIMENSION.getOr(it.operation(), -1L);
    int rank = it.operands() == 0 ? 0 : it.operand(0).rank();
    it.require(
        dim >= -rank && dim < rank, "dimension %s is not one of a tensor of rank %s", dim, rank);
  }
}
