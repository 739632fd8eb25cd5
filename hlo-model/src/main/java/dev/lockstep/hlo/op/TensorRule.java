package dev.lockstep.hlo.op;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import com.google.errorprone.annotations.FormatMethod;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.OpaqueType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rule about the tensors of an operation. It is checked only where every operand and result is a
 * tensor whose type is modelled; an unknown size agrees with every size.
 */
public interface TensorRule {
  /** Code of the diagnostic that a rule looked at an operand or result which is not there. */
  String MISSING = "operand-missing";

  /** A vector or scalar of MLIR's {@code index}. */
  Pattern INDEX = Pattern.compile("tensor<(?:(\\?|[0-9]{1,18})x)?index>");

  /** Looks at one operation. */
  void check(Case it);

  /** Returns the check of {@code rule}. */
  static Constraint.ModuleCheck of(TensorRule rule) {
    return (operation, around, code, sink) -> {
      for (Value value : operation.operands()) {
        if (tensor(value.type()) == null) {
          return;
        }
      }
      ImmutableList<Type> results = Results.types(operation);
      for (Type type : results) {
        if (!(type instanceof TensorType)) {
          return;
        }
      }
      rule.check(new Case(operation, results, around, code, sink));
    };
  }

  /**
   * Returns {@code type} as a tensor, or null when it is none that is modelled. Tensors of MLIR's
   * {@code index}, which hold sizes, are taken for tensors of 64-bit integers.
   */
  private static @Nullable TensorType tensor(Type type) {
    if (type instanceof TensorType) {
      return (TensorType) type;
    }
    Matcher sizes = INDEX.matcher(type instanceof OpaqueType ? type.toString() : "");
    if (!sizes.matches()) {
      return null;
    }
    return sizes.group(1) == null
        ? TensorType.of(ElementType.I64)
        : TensorType.of(
            ElementType.I64,
            sizes.group(1).equals("?") ? TensorType.DYNAMIC : Long.parseLong(sizes.group(1)));
  }

  /** Returns a check that all operands and results have one type. */
  static Constraint.Check sameType() {
    return of(
        it -> {
          for (int i = 0; i < it.operands(); i++) {
            if (!it.require(
                it.agree(it.operand(i), it.result()),
                "operand %d has type %s but the result has type %s",
                i,
                it.operand(i),
                it.result())) {
              return;
            }
          }
        });
  }

  /** Returns a check that all operands and results have one shape, whatever their elements. */
  static Constraint.Check sameShape() {
    return of(
        it -> {
          for (int i = 0; i < it.operands(); i++) {
            if (!it.require(
                agreeInShape(it.operand(i), it.result()),
                "operand %d has shape %s but the result has shape %s",
                i,
                it.operand(i),
                it.result())) {
              return;
            }
          }
        });
  }

  /**
   * Returns a check that the first {@code count} operands and the result share a type of elements.
   */
  static Constraint.Check sameElement(int count) {
    return of(
        it -> {
          for (int i = 0; i < Math.min(count, it.operands()); i++) {
            if (!it.require(
                it.sameElements(it.operand(i), it.result()),
                "operand %d has elements of type %s but the result of type %s",
                i,
                it.operand(i).element(),
                it.result().element())) {
              return;
            }
          }
        });
  }

  /** Returns whether both types may be one at run time. */
  static boolean agree(TensorType a, TensorType b) {
    return a.element() == b.element() && agreeInShape(a, b);
  }

  /** Returns whether both shapes may be one at run time. */
  static boolean agreeInShape(TensorType a, TensorType b) {
    if (a.rank() != b.rank()) {
      return false;
    }
    for (int d = 0; d < a.rank(); d++) {
      if (!agree(a.dim(d), b.dim(d)) || a.dim(d) > bound(b, d) || b.dim(d) > bound(a, d)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the largest size that dimension {@code d} may have. */
  static long bound(TensorType type, int d) {
    ImmutableLongArray bounds = type.bounds();
    return bounds == null || bounds.get(d) == TensorType.DYNAMIC ? Long.MAX_VALUE : bounds.get(d);
  }

  /** Returns whether both sizes may be one at run time. */
  static boolean agree(long a, long b) {
    return a == b || a == TensorType.DYNAMIC || b == TensorType.DYNAMIC;
  }

  /**
   * The operation that is checked.
   *
   * @param operation the operation
   * @param results the types of its results, one by one even where HLO has a tuple of them
   * @param around its module
   * @param code code of the diagnostic
   * @param sink takes the diagnostic
   */
  record Case(
      Operation operation,
      ImmutableList<Type> results,
      Surroundings around,
      String code,
      DiagnosticSink sink) {
    /** Returns the number of operands. */
    public int operands() {
      return operation.operands().size();
    }

    /** Returns the type of operand {@code i}. */
    public TensorType operand(int i) {
      if (i >= operation.operands().size()) {
        throw missing("operand", i);
      }
      return requireNonNull(tensor(operation.operand(i).type()));
    }

    /** Returns whether the text is HLO. */
    public boolean isHlo() {
      return around.isHlo();
    }

    /** Returns the integers that operand {@code i} always holds, or null when it may vary. */
    public @Nullable ImmutableLongArray constant(int i) {
      Literal literal = around.constant(operation.operand(i));
      return literal == null || !literal.element().isInteger()
          ? null
          : ImmutableLongArray.copyOf(literal.toLongs());
    }

    /**
     * Returns whether both have elements of one type. In HLO floating-point types count as one,
     * since passes leave operations that take and give different precisions.
     */
    public boolean sameElements(TensorType a, TensorType b) {
      return sameElements(a.element(), b.element());
    }

    /** Returns whether both count as one type of elements. */
    public boolean sameElements(ElementType a, ElementType b) {
      return a == b || isHlo() && a.isFloat() && b.isFloat();
    }

    /** Returns whether both types may be one at run time. */
    public boolean agree(TensorType a, TensorType b) {
      return sameElements(a, b) && agreeInShape(a, b);
    }

    /** Returns the type of the first result. */
    public TensorType result() {
      return result(0);
    }

    /** Returns the type of result {@code i}. */
    public TensorType result(int i) {
      if (i >= results.size()) {
        throw missing("result", i);
      }
      return (TensorType) results.get(i);
    }

    private DiagnosticException missing(String what, int i) {
      return DiagnosticException.error(
          MISSING, operation.def().name() + " needs " + what + " " + i, operation.location());
    }

    /** Reports the message unless {@code condition} holds, and returns {@code condition}. */
    @FormatMethod
    public boolean require(boolean condition, String message, Object... arguments) {
      if (!condition) {
        sink.error(code, String.format(message, arguments), operation.location());
      }
      return condition;
    }
  }
}
