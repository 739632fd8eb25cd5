package dev.lockstep.hlo.op.elementwise;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.function.DoubleUnaryOperator;

/**
 * A function of one number that gives a number of the same type, on whole literals: one Java
 * function for each family of element types.
 *
 * <p>Integers come as {@code long}, sign-extended or zero-extended, and the result is wrapped. Real
 * numbers of every width are computed in {@code double} and rounded once, which for the basic
 * operations is the correctly rounded result of the narrow type.
 */
public final class UnaryKernel implements Semantics.Local {

  /** A function of an integer of {@code bits} bits. */
  public interface OfInteger {
    /** Returns the result, of which the low {@code bits} bits count. */
    long apply(long value, int bits);
  }

  /** A function of a complex number. */
  public interface OfComplex {
    /** Stores the real and the imaginary part of the result to {@code out}. */
    void apply(double real, double imaginary, double[] out);
  }

  private final KindFunctions<OfInteger, DoubleUnaryOperator, OfComplex> functions;

  private UnaryKernel(KindFunctions<OfInteger, DoubleUnaryOperator, OfComplex> functions) {
    this.functions = functions;
  }

  /** Returns a kernel that is defined on no type; {@code name} is for messages. */
  static UnaryKernel named(String name) {
    return new UnaryKernel(KindFunctions.none(name));
  }

  /** Returns this kernel with a function on i1, which sees 0 and 1. */
  UnaryKernel onBool(OfInteger function) {
    return new UnaryKernel(functions.withBool(function));
  }

  /** Returns this kernel with a function on signed integers. */
  UnaryKernel onSigned(OfInteger function) {
    return new UnaryKernel(functions.withSigned(function));
  }

  /** Returns this kernel with a function on unsigned integers. */
  UnaryKernel onUnsigned(OfInteger function) {
    return new UnaryKernel(functions.withUnsigned(function));
  }

  /** Returns this kernel with a function on both kinds of integers. */
  UnaryKernel onIntegers(OfInteger function) {
    return onSigned(function).onUnsigned(function);
  }

  /** Returns this kernel with a function on real numbers. */
  UnaryKernel onReal(DoubleUnaryOperator function) {
    return new UnaryKernel(functions.withReal(function));
  }

  /** Returns this kernel with a function on complex numbers. */
  UnaryKernel onComplex(OfComplex function) {
    return new UnaryKernel(functions.withComplex(function));
  }

  @Override
  public ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    return ImmutableList.of(apply((Literal) operands.get(0)));
  }

  /**
   * Returns the function of every element of {@code operand}.
   *
   * @throws IllegalArgumentException if the function is not defined on the element type
   */
  public Literal apply(Literal operand) {
    if (operand.isSplat() && operand.count() != 1) {
      Literal one = apply(Literal.of(TensorType.of(operand.element()), operand.rawStorage()));
      return Literal.splat(operand.type(), one.rawStorage());
    }
    ElementType element = operand.element();
    LiteralBuilder out = new LiteralBuilder(operand.type());
    switch (element.kind()) {
      case BOOL, SIGNED, UNSIGNED -> integers(operand, functions.onInteger(element), out);
      case FLOAT -> reals(operand, functions.onReal(element), out);
      case COMPLEX -> complexes(operand, functions.onComplex(element), out);
    }
    return out.build();
  }

  private static void integers(Literal operand, OfInteger function, LiteralBuilder out) {
    int bits = operand.element().bits();
    int count = operand.count();
    if (operand.element() == ElementType.I32) {
      int[] from = (int[]) operand.rawStorage();
      int[] to = (int[]) out.storage();
      for (int i = 0; i < count; i++) {
        to[i] = (int) function.apply(from[i], 32);
      }
      return;
    }
    for (int i = 0; i < count; i++) {
      out.setLong(i, function.apply(operand.getLong(i), bits));
    }
  }

  private static void reals(Literal operand, DoubleUnaryOperator function, LiteralBuilder out) {
    int count = operand.count();
    if (operand.element() == ElementType.F32) {
      float[] from = (float[]) operand.rawStorage();
      float[] to = (float[]) out.storage();
      for (int i = 0; i < count; i++) {
        to[i] = (float) function.applyAsDouble(from[i]);
      }
    } else if (operand.element() == ElementType.F64) {
      double[] from = (double[]) operand.rawStorage();
      double[] to = (double[]) out.storage();
      for (int i = 0; i < count; i++) {
        to[i] = function.applyAsDouble(from[i]);
      }
    } else {
      for (int i = 0; i < count; i++) {
        out.setDouble(i, function.applyAsDouble(operand.getDouble(i)));
      }
    }
  }

  private static void complexes(Literal operand, OfComplex function, LiteralBuilder out) {
    double[] parts = new double[2];
    for (int i = 0; i < operand.count(); i++) {
      function.apply(operand.getDouble(i), operand.getImaginary(i), parts);
      out.setComplex(i, parts[0], parts[1]);
    }
  }
}
