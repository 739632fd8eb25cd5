package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.type.ElementType;
import org.jspecify.annotations.Nullable;

/**
 * What an elementwise op computes on each kind of element types, null where it is not defined.
 *
 * @param name the op, for messages
 * @param bool on i1
 * @param signed on signed integers
 * @param unsigned on unsigned integers
 * @param real on real numbers
 * @param complex on complex numbers
 * @param <I> functions of integers
 * @param <R> functions of real numbers
 * @param <C> functions of complex numbers
 */
record KindFunctions<I, R, C>(
    String name,
    @Nullable I bool,
    @Nullable I signed,
    @Nullable I unsigned,
    @Nullable R real,
    @Nullable C complex) {

  static <I, R, C> KindFunctions<I, R, C> none(String name) {
    return new KindFunctions<>(name, null, null, null, null, null);
  }

  KindFunctions<I, R, C> withBool(I function) {
    return new KindFunctions<>(name, function, signed, unsigned, real, complex);
  }

  KindFunctions<I, R, C> withSigned(I function) {
    return new KindFunctions<>(name, bool, function, unsigned, real, complex);
  }

  KindFunctions<I, R, C> withUnsigned(I function) {
    return new KindFunctions<>(name, bool, signed, function, real, complex);
  }

  KindFunctions<I, R, C> withReal(R function) {
    return new KindFunctions<>(name, bool, signed, unsigned, function, complex);
  }

  KindFunctions<I, R, C> withComplex(C function) {
    return new KindFunctions<>(name, bool, signed, unsigned, real, function);
  }

  /**
   * Returns the function on {@code element}, an integer type or i1.
   *
   * @throws IllegalArgumentException if there is none
   */
  I onInteger(ElementType element) {
    return defined(
        switch (element.kind()) {
          case BOOL -> bool;
          case SIGNED -> signed;
          case UNSIGNED -> unsigned;
          case FLOAT, COMPLEX -> null;
        },
        element);
  }

  /**
   * Returns the function on {@code element}, a type of real numbers.
   *
   * @throws IllegalArgumentException if there is none
   */
  R onReal(ElementType element) {
    return defined(real, element);
  }

  /**
   * Returns the function on {@code element}, a type of complex numbers.
   *
   * @throws IllegalArgumentException if there is none
   */
  C onComplex(ElementType element) {
    return defined(complex, element);
  }

  private <T> T defined(@Nullable T function, ElementType element) {
    if (function == null) {
      throw new IllegalArgumentException(name + " is not defined on " + element);
    }
    return function;
  }
}
