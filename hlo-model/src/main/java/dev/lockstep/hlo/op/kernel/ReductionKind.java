package dev.lockstep.hlo.op.kernel;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.elementwise.Add;
import dev.lockstep.hlo.op.elementwise.And;
import dev.lockstep.hlo.op.elementwise.Maximum;
import dev.lockstep.hlo.op.elementwise.Minimum;
import dev.lockstep.hlo.op.elementwise.Multiply;
import dev.lockstep.hlo.op.elementwise.Or;
import dev.lockstep.hlo.op.elementwise.Xor;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Reducers that are one binary operation of their two arguments. All are commutative and, up to
 * rounding, associative. On i1, addition and maximum are or, multiplication and minimum are and.
 */
public enum ReductionKind {
  ADD(Add.DEF),
  MULTIPLY(Multiply.DEF),
  MINIMUM(Minimum.DEF),
  MAXIMUM(Maximum.DEF),
  AND(And.DEF),
  OR(Or.DEF),
  XOR(Xor.DEF);

  private final OpDef def;

  ReductionKind(OpDef def) {
    this.def = def;
  }

  /** Returns the binary operation. */
  public OpDef def() {
    return def;
  }

  /**
   * Returns the kind of a reducer that applies one known operation to its two arguments, in either
   * order, and gives back the result; null for any other. Types of scalars only.
   */
  public static @Nullable ReductionKind of(Block block) {
    ImmutableList<Value> parameters = Function.parametersOf(block);
    ImmutableList<Value> returned = block.returned();
    if (parameters.size() != 2 || returned.size() != 1) {
      return null;
    }
    Operation operation = null;
    for (Operation candidate : block.operations()) {
      if (candidate.is(BuiltinOps.PARAMETER) || candidate.def().isTerminator()) {
        continue;
      }
      if (operation != null) {
        return null;
      }
      operation = candidate;
    }
    if (operation == null
        || operation.operands().size() != 2
        || operation.results().size() != 1
        || operation.result() != returned.get(0)
        || !operation.result().type().isSameShape(parameters.get(0).type())) {
      return null;
    }
    Value left = operation.operand(0);
    Value right = operation.operand(1);
    Value first = parameters.get(0);
    Value second = parameters.get(1);
    if (!(left == first && right == second) && !(left == second && right == first)) {
      return null;
    }
    for (ReductionKind kind : values()) {
      if (operation.is(kind.def)) {
        return kind;
      }
    }
    return null;
  }

  /** Returns whether the kind is defined on {@code element}. */
  public boolean supports(ElementType element) {
    return switch (this) {
      case ADD, MULTIPLY -> true;
      case MINIMUM, MAXIMUM -> !element.isComplex();
      case AND, OR, XOR -> element.isInteger() || element.isBool();
    };
  }

  /** Returns the scalar that changes nothing; the kind must support the type. */
  public Literal identity(ElementType element) {
    LiteralBuilder out = new LiteralBuilder(TensorType.of(element));
    boolean integer = element.isInteger() || element.isBool();
    switch (this) {
      case ADD, OR, XOR -> out.setLong(0, 0);
      case MULTIPLY -> out.setLong(0, 1);
      case AND -> out.setLong(0, -1);
      case MINIMUM -> {
        if (integer) {
          out.setLong(0, largest(element));
        } else {
          out.setDouble(0, Double.POSITIVE_INFINITY);
        }
      }
      case MAXIMUM -> {
        if (integer) {
          out.setLong(0, smallest(element));
        } else {
          out.setDouble(0, Double.NEGATIVE_INFINITY);
        }
      }
    }
    return out.build();
  }

  private static long largest(ElementType element) {
    if (element.isBool()) {
      return 1;
    }
    return element.isUnsigned() ? -1L >>> (64 - element.bits()) : -1L >>> (65 - element.bits());
  }

  private static long smallest(ElementType element) {
    return element.isUnsigned() || element.isBool() ? 0 : -1L << (element.bits() - 1);
  }

  /** Returns the result on floats; NaN wins in minimum and maximum, and -0 is below 0. */
  float apply(float x, float y) {
    return switch (this) {
      case ADD -> x + y;
      case MULTIPLY -> x * y;
      case MINIMUM -> Math.min(x, y);
      case MAXIMUM -> Math.max(x, y);
      case AND, OR, XOR -> throw new IllegalArgumentException(this + " of floats");
    };
  }

  /** Returns the result on doubles, before rounding to a narrower type. */
  double apply(double x, double y) {
    return switch (this) {
      case ADD -> x + y;
      case MULTIPLY -> x * y;
      case MINIMUM -> Math.min(x, y);
      case MAXIMUM -> Math.max(x, y);
      case AND, OR, XOR -> throw new IllegalArgumentException(this + " of floats");
    };
  }

  /** Returns the result on integers, before wrapping to a narrower type. */
  long apply(long x, long y, boolean unsigned) {
    return switch (this) {
      case ADD -> x + y;
      case MULTIPLY -> x * y;
      case MINIMUM -> isBelow(x, y, unsigned) ? x : y;
      case MAXIMUM -> isBelow(x, y, unsigned) ? y : x;
      case AND -> x & y;
      case OR -> x | y;
      case XOR -> x ^ y;
    };
  }

  private static boolean isBelow(long x, long y, boolean unsigned) {
    return unsigned ? Long.compareUnsigned(x, y) < 0 : x < y;
  }
}
