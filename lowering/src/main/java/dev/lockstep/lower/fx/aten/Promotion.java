package dev.lockstep.lower.fx.aten;

import static dev.lockstep.hlo.type.ElementType.BF16;
import static dev.lockstep.hlo.type.ElementType.C128;
import static dev.lockstep.hlo.type.ElementType.C64;
import static dev.lockstep.hlo.type.ElementType.F16;
import static dev.lockstep.hlo.type.ElementType.F32;
import static dev.lockstep.hlo.type.ElementType.F64;
import static dev.lockstep.hlo.type.ElementType.I1;
import static dev.lockstep.hlo.type.ElementType.I16;
import static dev.lockstep.hlo.type.ElementType.I32;
import static dev.lockstep.hlo.type.ElementType.I64;
import static dev.lockstep.hlo.type.ElementType.UI8;

import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The element type of a result whose operands differ, as torch chooses it
 * (pytorch.org/docs/stable/tensor_attributes.html#type-promotion): tensors with dimensions count
 * before scalar tensors, those before plain numbers, unless the later ones are of a higher category
 * (truth values, integers, floats, complex).
 */
final class Promotion {
  private @Nullable ElementType dimensioned;
  private @Nullable ElementType scalar;
  private @Nullable ElementType number;

  /** Adds an operand. */
  Promotion add(Arg operand) {
    if (operand instanceof Arg.Tensor tensor) {
      return add(tensor.type());
    }
    number = join(number, elementOf(operand));
    return this;
  }

  /** Adds a tensor. */
  Promotion add(TensorType type) {
    if (type.rank() > 0) {
      dimensioned = join(dimensioned, type.element());
    } else {
      scalar = join(scalar, type.element());
    }
    return this;
  }

  /** Returns the element type of a number that is no tensor. */
  static ElementType elementOf(Arg number) {
    return number instanceof Arg.Flag ? I1 : number instanceof Arg.Whole ? I64 : F32;
  }

  /** Returns the type of the result. */
  ElementType result() {
    ElementType lower = prefer(scalar, number);
    ElementType all = prefer(dimensioned, lower);
    return all == null ? F32 : all;
  }

  private static @Nullable ElementType prefer(
      @Nullable ElementType higher, @Nullable ElementType lower) {
    if (higher == null || lower == null) {
      return higher == null ? lower : higher;
    }
    if (higher.isComplex()) {
      return higher;
    }
    if (higher.isFloat()) {
      ElementType complex = higher == F64 ? C128 : C64;
      return lower.isComplex() ? complex : higher;
    }
    return higher.isBool() || lower.isFloat() || lower.isComplex() ? join(higher, lower) : higher;
  }

  private static ElementType join(@Nullable ElementType a, @Nullable ElementType b) {
    if (a == null || b == null) {
      return java.util.Objects.requireNonNull(a == null ? b : a);
    }
    return promote(a, b);
  }

  /** Returns the smallest type that torch takes for values of both. */
  static ElementType promote(ElementType a, ElementType b) {
    if (a == b) {
      return a;
    }
    int higher = Math.max(category(a), category(b));
    if (category(a) != category(b)) {
      ElementType kept = category(a) == higher ? a : b;
      ElementType other = kept == a ? b : a;
      return kept == C64 && other == F64 ? C128 : kept;
    }
    return switch (higher) {
      case 1 -> integers(a, b);
      case 2 -> floats(a, b);
      default -> C128;
    };
  }

  private static int category(ElementType type) {
    return type.isBool() ? 0 : type.isComplex() ? 3 : type.isFloat() ? 2 : 1;
  }

  private static ElementType integers(ElementType a, ElementType b) {
    if (a.isUnsigned() == b.isUnsigned()) {
      return a.bits() >= b.bits() ? a : b;
    }
    ElementType unsigned = a.isUnsigned() ? a : b;
    ElementType signed = a.isUnsigned() ? b : a;
    if (unsigned == UI8) {
      return signed.bits() <= 8 ? I16 : signed;
    }
    return signed.bits() > unsigned.bits() ? signed : unsigned.bits() < 32 ? I32 : I64;
  }

  private static ElementType floats(ElementType a, ElementType b) {
    if (a == F64 || b == F64) {
      return F64;
    }
    if (a == F32 || b == F32 || a == F16 && b == BF16 || a == BF16 && b == F16) {
      return F32;
    }
    return a.bits() >= b.bits() ? a : b;
  }

  /** Returns {@code element} if it is a float or complex, else torch's default, f32. */
  static ElementType floating(ElementType element) {
    return element.isFloat() || element.isComplex() ? element : F32;
  }

  /** Returns the type in which torch computes with {@code element}: f32 for narrower floats. */
  static ElementType wide(ElementType element) {
    return element.isFloat() && element.bits() < 32 ? F32 : element;
  }
}
