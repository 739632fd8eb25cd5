package dev.lockstep.hlo.op.elementwise;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.FloatFormat;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.function.DoubleBinaryOperator;

/**
 * A function of two numbers of one type that gives a number of that type, on whole literals; the
 * counterpart of {@link UnaryKernel}, with the same ways of computing.
 *
 * <p>Collectives and reductions whose reducer is one op use {@link #apply} on whole operands
 * instead of running the reducer for each element.
 */
public final class BinaryKernel implements Semantics.Local {

  /** A function of two integers of {@code bits} bits. */
  public interface OfIntegers {
    /** Returns the result, of which the low {@code bits} bits count. */
    long apply(long left, long right, int bits);
  }

  /** A function of two complex numbers. */
  public interface OfComplexes {
    /** Stores the real and the imaginary part of the result to {@code out}. */
    void apply(double a, double b, double c, double d, double[] out);
  }

  private final KindFunctions<OfIntegers, DoubleBinaryOperator, OfComplexes> functions;

  private BinaryKernel(KindFunctions<OfIntegers, DoubleBinaryOperator, OfComplexes> functions) {
    this.functions = functions;
  }

  /** Returns a kernel that is defined on no type; {@code name} is for messages. */
  static BinaryKernel named(String name) {
    return new BinaryKernel(KindFunctions.none(name));
  }

  /** Returns this kernel with a function on i1, which sees 0 and 1; not zero is true. */
  BinaryKernel onBool(OfIntegers function) {
    return new BinaryKernel(functions.withBool(function));
  }

  /** Returns this kernel with a function on signed integers. */
  BinaryKernel onSigned(OfIntegers function) {
    return new BinaryKernel(functions.withSigned(function));
  }

  /** Returns this kernel with a function on unsigned integers. */
  BinaryKernel onUnsigned(OfIntegers function) {
    return new BinaryKernel(functions.withUnsigned(function));
  }

  /** Returns this kernel with a function on both kinds of integers. */
  BinaryKernel onIntegers(OfIntegers function) {
    return onSigned(function).onUnsigned(function);
  }

  /** Returns this kernel with a function on real numbers. */
  BinaryKernel onReal(DoubleBinaryOperator function) {
    return new BinaryKernel(functions.withReal(function));
  }

  /** Returns this kernel with a function on complex numbers. */
  BinaryKernel onComplex(OfComplexes function) {
    return new BinaryKernel(functions.withComplex(function));
  }

  @Override
  public ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    return ImmutableList.of(apply((Literal) operands.get(0), (Literal) operands.get(1)));
  }

  /**
   * Returns the function of every two elements in the same place.
   *
   * @throws IllegalArgumentException if the function is not defined on the element type, or the
   *     operands have different types
   */
  public Literal apply(Literal left, Literal right) {
    checkArgument(
        left.type().equals(right.type()),
        "%s needs operands of one type, not %s and %s",
        functions.name(),
        left.type(),
        right.type());
    if (left.isSplat() && right.isSplat() && left.count() != 1) {
      TensorType scalar = TensorType.of(left.element());
      Literal one =
          apply(Literal.of(scalar, left.rawStorage()), Literal.of(scalar, right.rawStorage()));
      return Literal.splat(left.type(), one.rawStorage());
    }
    ElementType element = left.element();
    LiteralBuilder out = new LiteralBuilder(left.type());
    switch (element.kind()) {
      case BOOL, SIGNED, UNSIGNED -> integers(left, right, functions.onInteger(element), out);
      case FLOAT -> reals(left, right, functions.onReal(element), out);
      case COMPLEX -> complexes(left, right, functions.onComplex(element), out);
    }
    return out.build();
  }

  // A splat stores one element: a step of zero through its storage reads it every time.
  private static int step(Literal literal) {
    return literal.isSplat() ? 0 : 1;
  }

  private static void integers(
      Literal left, Literal right, OfIntegers function, LiteralBuilder out) {
    int count = left.count();
    int s = step(left);
    int t = step(right);
    switch (left.element()) {
      case I32 -> {
        int[] a = (int[]) left.rawStorage();
        int[] b = (int[]) right.rawStorage();
        int[] to = (int[]) out.storage();
        for (int i = 0; i < count; i++) {
          to[i] = (int) function.apply(a[i * s], b[i * t], 32);
        }
      }
      case I64, UI64 -> {
        long[] a = (long[]) left.rawStorage();
        long[] b = (long[]) right.rawStorage();
        long[] to = (long[]) out.storage();
        for (int i = 0; i < count; i++) {
          to[i] = function.apply(a[i * s], b[i * t], 64);
        }
      }
      default -> {
        int bits = left.element().bits();
        for (int i = 0; i < count; i++) {
          out.setLong(i, function.apply(left.getLong(i), right.getLong(i), bits));
        }
      }
    }
  }

  private static void reals(
      Literal left, Literal right, DoubleBinaryOperator function, LiteralBuilder out) {
    int count = left.count();
    int s = step(left);
    int t = step(right);
    switch (left.element()) {
      case F32 -> {
        float[] a = (float[]) left.rawStorage();
        float[] b = (float[]) right.rawStorage();
        float[] to = (float[]) out.storage();
        for (int i = 0; i < count; i++) {
          to[i] = (float) function.applyAsDouble(a[i * s], b[i * t]);
        }
      }
      case F64 -> {
        double[] a = (double[]) left.rawStorage();
        double[] b = (double[]) right.rawStorage();
        double[] to = (double[]) out.storage();
        for (int i = 0; i < count; i++) {
          to[i] = function.applyAsDouble(a[i * s], b[i * t]);
        }
      }
      case BF16 -> {
        short[] a = (short[]) left.rawStorage();
        short[] b = (short[]) right.rawStorage();
        short[] to = (short[]) out.storage();
        for (int i = 0; i < count; i++) {
          double x = Float.intBitsToFloat(a[i * s] << 16);
          double y = Float.intBitsToFloat(b[i * t] << 16);
          to[i] = (short) FloatFormat.bfloat16(function.applyAsDouble(x, y));
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          out.setDouble(i, function.applyAsDouble(left.getDouble(i), right.getDouble(i)));
        }
      }
    }
  }

  private static void complexes(
      Literal left, Literal right, OfComplexes function, LiteralBuilder out) {
    double[] parts = new double[2];
    for (int i = 0; i < left.count(); i++) {
      function.apply(
          left.getDouble(i),
          left.getImaginary(i),
          right.getDouble(i),
          right.getImaginary(i),
          parts);
      out.setComplex(i, parts[0], parts[1]);
    }
  }
}
