package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.Surroundings;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.GeneratorState;
import dev.lockstep.hlo.op.kernel.RandomNumbers;
import dev.lockstep.hlo.type.TensorType;
import java.util.Locale;

/** {@code stablehlo.rng}. */
public final class Rng {
  /** UNIFORM or NORMAL; HLO writes rng_uniform, rng_normal. */
  public static final AttrKey<String> DISTRIBUTION =
      AttrKeys.word("rng_distribution", "distribution");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.rng")
          .hlo("rng")
          .summary("Random numbers without a seed; here the same in every run")
          .attributes(DISTRIBUTION)
          .trait(Trait.SIDE_EFFECT, Trait.DEVICE_DEPENDENT)
          .moduleConstraint("I1", "operands are two scalars and sizes", Rng::checkOperands)
          .gives(TypeClass.PRED_INT_OR_FLOAT)
          .constraint(
              "C1",
              "bounds and result have elements of one type",
              TensorRule.of(Rng::checkElements))
          .constraint("C2", "normal numbers are real", Rng::checkNormal)
          .moduleConstraint("C3", "the result has the sizes", Rng::checkRank)
          .semantics((Semantics.Stateful) Rng::draw)
          .build();

  private Rng() {}

  private static ImmutableList<Datum> draw(
      Operation operation, ImmutableList<Datum> operands, GeneratorState state) {
    TensorType type = (TensorType) operation.resultTypes().get(0);
    if (!type.isStatic()) {
      type = type.withDims(((Literal) operands.get(2)).toLongs());
    }
    Literal first = (Literal) operands.get(0);
    Literal second = (Literal) operands.get(1);
    boolean normal = DISTRIBUTION.get(operation).toLowerCase(Locale.ROOT).endsWith("normal");
    return ImmutableList.of(
        normal
            ? RandomNumbers.normal(type, first, second, state)
            : RandomNumbers.uniform(type, first, second, state));
  }

  private static void checkElements(TensorRule.Case it) {
    for (int i = 0; i < Math.min(2, it.operands()); i++) {
      it.require(
          it.sameElements(it.operand(i), it.result()),
          "operand %d has elements of type %s but the result of type %s",
          i,
          it.operand(i).element(),
          it.result().element());
    }
  }

  private static void checkNormal(Operation operation, String code, DiagnosticSink sink) {
    String given = DISTRIBUTION.get(operation);
    if ((given.equals("NORMAL") || given.equals("rng_normal"))
        && !operation.operands().isEmpty()
        && !TypeClass.FLOAT.admits(operation.operand(0).type())) {
      sink.error(
          code,
          "mean and deviation must be real, not " + operation.operand(0).type(),
          operation.location());
    }
  }

  /** HLO has no sizes, and takes bounds for each element too. */
  private static void checkOperands(
      Operation operation, Surroundings around, String code, DiagnosticSink sink) {
    if (around.isHlo()) {
      return;
    }
    boolean fits = operation.operands().size() == 3;
    for (int i = 0; fits && i < 2; i++) {
      fits = TypeClass.PRED_INT_OR_FLOAT.scalar().admits(operation.operand(i).type());
    }
    if (!fits || !TypeClass.SIZES.admits(operation.operand(2).type())) {
      sink.error(
          code,
          "rng takes two scalars and sizes, not " + operation.operandTypes(),
          operation.location());
    }
  }

  private static void checkRank(
      Operation operation, Surroundings around, String code, DiagnosticSink sink) {
    if (around.isHlo()
        || operation.operands().size() != 3
        || !(operation.operand(2).type() instanceof TensorType)
        || !(operation.results().get(0).type() instanceof TensorType)) {
      return;
    }
    TensorType sizes = (TensorType) operation.operand(2).type();
    TensorType result = (TensorType) operation.results().get(0).type();
    if (sizes.rank() == 1 && !TensorRule.agree(sizes.dim(0), result.rank())) {
      sink.error(
          code,
          String.format("%s sizes for a result of rank %d", sizes.dim(0), result.rank()),
          operation.location());
      return;
    }
    Literal wanted = around.constant(operation.operand(2));
    if (wanted != null
        && !TensorRule.agreeInShape(TensorType.of(result.element(), wanted.toLongs()), result)) {
      sink.error(
          code,
          "the sizes are "
              + ImmutableLongArray.copyOf(wanted.toLongs())
              + " but the result has type "
              + result,
          operation.location());
    }
  }
}
