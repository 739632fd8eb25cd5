package dev.lockstep.hlo.build;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.elementwise.Add;
import dev.lockstep.hlo.op.elementwise.And;
import dev.lockstep.hlo.op.elementwise.Clamp;
import dev.lockstep.hlo.op.elementwise.Compare;
import dev.lockstep.hlo.op.elementwise.Complex;
import dev.lockstep.hlo.op.elementwise.Convert;
import dev.lockstep.hlo.op.elementwise.Divide;
import dev.lockstep.hlo.op.elementwise.Imag;
import dev.lockstep.hlo.op.elementwise.Maximum;
import dev.lockstep.hlo.op.elementwise.Minimum;
import dev.lockstep.hlo.op.elementwise.Multiply;
import dev.lockstep.hlo.op.elementwise.Negate;
import dev.lockstep.hlo.op.elementwise.Not;
import dev.lockstep.hlo.op.elementwise.Or;
import dev.lockstep.hlo.op.elementwise.Real;
import dev.lockstep.hlo.op.elementwise.Remainder;
import dev.lockstep.hlo.op.elementwise.Subtract;
import dev.lockstep.hlo.op.elementwise.Xor;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/** The layer of {@link OpBuilder} that builds arithmetic on elements. */
abstract class ArithmeticBuilder extends BuilderCore {
  ArithmeticBuilder(BuildScope scope) {
    super(scope);
  }

  /** Returns the elements converted; {@code value} itself when it has the type. */
  public Value convert(Value value, ElementType element) {
    TensorType type = tensor(value);
    return type.element() == element
        ? value
        : emit(Convert.DEF, ImmutableList.of(value), type.withElement(element), Attributes.EMPTY);
  }

  /**
   * Returns i1 where {@code lhs} stands in {@code direction} to {@code rhs}: EQ, NE, GE, GT, LE,
   * LT.
   */
  public Value compare(String direction, Value lhs, Value rhs) {
    TensorType type = tensor(lhs);
    Attributes attributes =
        isHlo()
            ? Attributes.of("direction", word("", direction))
            : Attributes.of(
                "comparison_direction",
                word("comparison_direction", direction),
                "compare_type",
                word("comparison_type", comparisonType(type.element())));
    return emit(
        Compare.DEF, ImmutableList.of(lhs, rhs), type.withElement(ElementType.I1), attributes);
  }

  private static String comparisonType(ElementType element) {
    return switch (element.kind()) {
      case SIGNED -> "SIGNED";
      case UNSIGNED, BOOL -> "UNSIGNED";
      case FLOAT, COMPLEX -> "FLOAT";
    };
  }

  /** Returns an operation of {@code def} whose result has the type of {@code lhs}. */
  public Value binary(OpDef def, Value lhs, Value rhs) {
    return emit(def, ImmutableList.of(lhs, rhs), lhs.type(), Attributes.EMPTY);
  }

  /** Returns an operation of {@code def} whose result has the type of {@code operand}. */
  public Value unary(OpDef def, Value operand) {
    return emit(def, ImmutableList.of(operand), operand.type(), Attributes.EMPTY);
  }

  /** Returns the sum. */
  public Value add(Value lhs, Value rhs) {
    return binary(Add.DEF, lhs, rhs);
  }

  /** Returns the difference. */
  public Value subtract(Value lhs, Value rhs) {
    return binary(Subtract.DEF, lhs, rhs);
  }

  /** Returns the product. */
  public Value multiply(Value lhs, Value rhs) {
    return binary(Multiply.DEF, lhs, rhs);
  }

  /** Returns the quotient. */
  public Value divide(Value lhs, Value rhs) {
    return binary(Divide.DEF, lhs, rhs);
  }

  /** Returns the remainder, which has the sign of {@code lhs}. */
  public Value remainder(Value lhs, Value rhs) {
    return binary(Remainder.DEF, lhs, rhs);
  }

  /** Returns the larger. */
  public Value maximum(Value lhs, Value rhs) {
    return binary(Maximum.DEF, lhs, rhs);
  }

  /** Returns the smaller. */
  public Value minimum(Value lhs, Value rhs) {
    return binary(Minimum.DEF, lhs, rhs);
  }

  /** Returns the logical or bitwise and. */
  public Value and(Value lhs, Value rhs) {
    return binary(And.DEF, lhs, rhs);
  }

  /** Returns the logical or bitwise or. */
  public Value or(Value lhs, Value rhs) {
    return binary(Or.DEF, lhs, rhs);
  }

  /** Returns the logical or bitwise exclusive or. */
  public Value xor(Value lhs, Value rhs) {
    return binary(Xor.DEF, lhs, rhs);
  }

  /** Returns the logical or bitwise not. */
  public Value not(Value operand) {
    return unary(Not.DEF, operand);
  }

  /** Returns the negation. */
  public Value negate(Value operand) {
    return unary(Negate.DEF, operand);
  }

  /** Returns {@code operand} limited to the range from {@code min} to {@code max}. */
  public Value clamp(Value min, Value operand, Value max) {
    return emit(Clamp.DEF, ImmutableList.of(min, operand, max), operand.type(), Attributes.EMPTY);
  }

  /** Returns the real part of a complex tensor. */
  public Value real(Value operand) {
    return part(Real.DEF, operand);
  }

  /** Returns the imaginary part of a complex tensor. */
  public Value imag(Value operand) {
    return part(Imag.DEF, operand);
  }

  private Value part(OpDef def, Value operand) {
    TensorType type = tensor(operand);
    return emit(
        def,
        ImmutableList.of(operand),
        type.withElement(type.element().realPart()),
        Attributes.EMPTY);
  }

  /** Returns complex numbers from their parts, which are f32 or f64. */
  public Value complex(Value real, Value imaginary) {
    TensorType type = tensor(real);
    ElementType element = type.element().complexOf();
    checkArgument(element != null, "no complex type over %s", type.element());
    return emit(
        Complex.DEF,
        ImmutableList.of(real, imaginary),
        type.withElement(element),
        Attributes.EMPTY);
  }
}
