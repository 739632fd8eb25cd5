package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
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
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.op.kernel.Wide;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;

/** {@code stablehlo.map}. */
public final class MapOp {
  /** The dimensions that are walked: all of them. */
  public static final AttrKey<ImmutableLongArray> DIMENSIONS =
      AttrKeys.longs("dimensions", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.map")
          .hlo("map")
          .summary("Applies a function to each element")
          .attributes(DIMENSIONS)
          .bodies("to_apply")
          .takesAll(TypeClass.TENSOR)
          .gives(TypeClass.TENSOR)
          .constraint("C1", "inputs and result have one shape", TensorRule.sameShape())
          .constraint(
              "C2",
              "there is an input",
              (operation, code, sink) -> {
                if (operation.operands().isEmpty()) {
                  sink.error(code, "there is nothing to map", operation.location());
                }
              })
          .constraint(
              "C3", "all dimensions are mapped in order", TensorRule.of(MapOp::checkDimensions))
          .bodyConstraint("C4", "the body takes an element of each input", MapOp::checkBody)
          .regional(MapOp::eval)
          .build();

  private MapOp() {}

  private static void checkDimensions(TensorRule.Case it) {
    ImmutableLongArray dims = DIMENSIONS.find(it.operation());
    if (dims == null) {
      return;
    }
    boolean fits = it.operands() == 0 || dims.length() == it.operand(0).rank();
    for (int d = 0; fits && d < dims.length(); d++) {
      fits = dims.get(d) == d;
    }
    it.require(fits, "dimensions %s must be all those of %s in order", dims, it.operand(0));
  }

  private static void checkBody(
      Operation operation, ImmutableList<Block> bodies, String code, DiagnosticSink sink) {
    if (bodies.size() != 1) {
      return;
    }
    ImmutableList<Type> taken = ReducerRule.parameters(bodies.get(0));
    ImmutableList<Type> given = ReducerRule.given(bodies.get(0));
    ImmutableList.Builder<Type> elements = ImmutableList.builder();
    for (Type type : operation.operandTypes()) {
      elements.add(type instanceof TensorType ? ((TensorType) type).withDims() : type);
    }
    ImmutableList<Type> wanted = elements.build();
    Type result = operation.resultTypes().get(0);
    boolean fits = taken.size() == wanted.size() && given.size() == 1;
    for (int i = 0; fits && i < taken.size(); i++) {
      fits = taken.get(i).isSameShape(wanted.get(i));
    }
    if (fits && result instanceof TensorType) {
      fits = given.get(0).isSameShape(((TensorType) result).withDims());
    }
    if (!fits && !ReducerRule.hasUnknown(taken)) {
      sink.error(
          code,
          String.format(
              "the body takes %s and gives %s, must take %s and give an element of %s",
              taken, given, wanted, result),
          operation.location());
    }
  }

  private static ImmutableList<Datum> eval(
      Operation operation, ImmutableList<Datum> operands, BodyRunner bodies) {
    ImmutableList<Literal> inputs = Results.literals(operation, operands, 0, operands.size());
    LiteralBuilder out =
        new LiteralBuilder(
            TensorType.of(Results.tensor(operation, 0).element(), inputs.get(0).dims()));
    for (int i = 0; i < inputs.get(0).count(); i++) {
      ImmutableList.Builder<Datum> arguments = ImmutableList.builder();
      for (Literal input : inputs) {
        arguments.add(Wide.scalarAt(input, i));
      }
      out.copy(i, (Literal) bodies.run(0, arguments.build()).get(0), 0);
    }
    return ImmutableList.of(out.build());
  }
}
