package dev.lockstep.hlo.op.elementwise;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.function.BiFunction;

/**
 * An op on one operand whose result has another element type than the operand: computed element by
 * element from a literal to a literal under construction.
 */
final class ElementMap implements Semantics.Local {

  /** What happens to one element. */
  interface Step {
    /** Sets element {@code i} of {@code out} from element {@code i} of {@code in}. */
    void apply(Literal in, LiteralBuilder out, int i);
  }

  private final BiFunction<ElementType, Operation, ElementType> resultElement;
  private final Step step;

  private ElementMap(BiFunction<ElementType, Operation, ElementType> resultElement, Step step) {
    this.resultElement = resultElement;
    this.step = step;
  }

  /** Returns an op whose result has the real part's type. */
  static ElementMap toRealPart(Step step) {
    return new ElementMap((element, operation) -> element.realPart(), step);
  }

  /** Returns an op whose result is i1. */
  static ElementMap toBool(Step step) {
    return new ElementMap((element, operation) -> ElementType.I1, step);
  }

  /** Returns {@code operand} mapped to elements of type {@code element}. */
  static Literal map(Literal operand, ElementType element, Step step) {
    TensorType type = TensorType.of(element, operand.dims());
    if (operand.isSplat() && operand.count() != 1) {
      TensorType scalar = TensorType.of(operand.element());
      Literal one = map(Literal.of(scalar, operand.rawStorage()), element, step);
      return Literal.splat(type, one.rawStorage());
    }
    LiteralBuilder out = new LiteralBuilder(type);
    for (int i = 0; i < operand.count(); i++) {
      step.apply(operand, out, i);
    }
    return out.build();
  }

  @Override
  public ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = (Literal) operands.get(0);
    return ImmutableList.of(map(operand, resultElement.apply(operand.element(), operation), step));
  }
}
