package dev.lockstep.pass.canonical.fold;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.elementwise.Add;
import dev.lockstep.hlo.op.elementwise.And;
import dev.lockstep.hlo.op.elementwise.Divide;
import dev.lockstep.hlo.op.elementwise.Maximum;
import dev.lockstep.hlo.op.elementwise.Minimum;
import dev.lockstep.hlo.op.elementwise.Multiply;
import dev.lockstep.hlo.op.elementwise.Negate;
import dev.lockstep.hlo.op.elementwise.Not;
import dev.lockstep.hlo.op.elementwise.Or;
import dev.lockstep.hlo.op.elementwise.Select;
import dev.lockstep.hlo.op.elementwise.Subtract;
import dev.lockstep.hlo.op.elementwise.Xor;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic that gives one of its operands back, to the bit.
 *
 * <p>For floats, adding 0.0 is no such thing: it turns -0.0 into 0.0. Adding -0.0, subtracting 0.0,
 * and multiplying and dividing by one are. For integers the neutral elements are the usual ones,
 * and on i1 add is or and multiply is and. Multiplying by zero gives zero for integers only.
 */
public final class FoldArithmetic implements FoldRule {
  /** Creates the rule. */
  public FoldArithmetic() {}

  @Override
  public @Nullable ImmutableList<Value> apply(Operation operation, Facts facts, OpBuilder builder) {
    if (operation.results().size() != 1
        || !(operation.result().type() instanceof TensorType type)
        || type.element().isComplex()) {
      return null;
    }
    Value kept = operation.is(Select.DEF) ? select(operation, facts) : null;
    if (kept == null && operation.operands().size() == 1) {
      kept = twice(operation, facts);
    }
    if (kept == null && operation.operands().size() == 2) {
      kept = binary(operation, type.element(), facts);
    }
    return kept != null && Facts.isInterchangeable(kept.type(), type)
        ? ImmutableList.of(kept)
        : null;
  }

  private static @Nullable Value select(Operation select, Facts facts) {
    if (select.operand(1) == select.operand(2)) {
      return select.operand(1);
    }
    Literal predicate = facts.splat(select.operand(0));
    return predicate == null ? null : select.operand(predicate.getBoolean(0) ? 1 : 2);
  }

  /** Negating and inverting twice. */
  private static @Nullable Value twice(Operation operation, Facts facts) {
    Operation inner = facts.definition(operation.operand(0));
    return inner != null
            && inner.def() == operation.def()
            && (operation.is(Negate.DEF) || operation.is(Not.DEF))
        ? inner.operand(0)
        : null;
  }

  private static @Nullable Value binary(Operation operation, ElementType element, Facts facts) {
    Value left = operation.operand(0);
    Value right = operation.operand(1);
    if (left == right
        && (operation.is(And.DEF)
            || operation.is(Or.DEF)
            || operation.is(Maximum.DEF)
            || operation.is(Minimum.DEF))) {
      return left;
    }
    Literal second = facts.splat(right);
    if (second != null && isNeutral(operation, element, second)) {
      return left;
    }
    boolean swaps = operation.def().has(Trait.COMMUTATIVE);
    Literal first = swaps ? facts.splat(left) : null;
    if (first != null && isNeutral(operation, element, first)) {
      return right;
    }
    if (second != null && isAbsorbing(operation, element, second)) {
      return right;
    }
    return first != null && isAbsorbing(operation, element, first) ? left : null;
  }

  private static boolean isNeutral(Operation operation, ElementType element, Literal value) {
    if (element.isFloat()) {
      double number = value.getDouble(0);
      if (operation.is(Add.DEF)) {
        return number == 0 && 1 / number < 0;
      }
      if (operation.is(Subtract.DEF)) {
        return number == 0 && 1 / number > 0;
      }
      return (operation.is(Multiply.DEF) || operation.is(Divide.DEF)) && number == 1;
    }
    boolean isZero = value.getLong(0) == 0;
    boolean isOne = value.getLong(0) == 1;
    if (operation.is(Add.DEF)
        || operation.is(Subtract.DEF) && element.isInteger()
        || operation.is(Or.DEF)
        || operation.is(Xor.DEF)) {
      return isZero;
    }
    if (operation.is(Multiply.DEF) || operation.is(Divide.DEF) && element.isInteger()) {
      return isOne;
    }
    return operation.is(And.DEF) && (element.isBool() ? isOne : allOnes(element, value));
  }

  private static boolean isAbsorbing(Operation operation, ElementType element, Literal value) {
    if (element.isFloat()) {
      return false;
    }
    if (operation.is(Multiply.DEF) || operation.is(And.DEF)) {
      return value.getLong(0) == 0;
    }
    boolean all = element.isBool() ? value.getLong(0) == 1 : allOnes(element, value);
    return all && (operation.is(Or.DEF) || operation.is(Add.DEF) && element.isBool());
  }

  private static boolean allOnes(ElementType element, Literal value) {
    long mask = element.bits() == 64 ? -1L : (1L << element.bits()) - 1;
    return (value.getBits(0) & mask) == mask;
  }
}
