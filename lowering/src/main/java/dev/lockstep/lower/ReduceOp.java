package dev.lockstep.lower;

import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import org.jspecify.annotations.Nullable;

/**
 * torch's reductions, and what they are called on which types.
 *
 * <p>Source: {@code torch.distributed.ReduceOp}. A bool sum is {@code or}, as torch converts the
 * sum back to bool; a bool product is {@code and}.
 */
enum ReduceOp {
  SUM("sum", ReductionKind.ADD),
  AVG("avg", ReductionKind.ADD),
  PRODUCT("product", ReductionKind.MULTIPLY),
  MIN("min", ReductionKind.MINIMUM),
  MAX("max", ReductionKind.MAXIMUM),
  BAND("band", ReductionKind.AND),
  BOR("bor", ReductionKind.OR),
  BXOR("bxor", ReductionKind.XOR);

  private static final ImmutableMap<String, ReduceOp> BY_WORD;

  static {
    ImmutableMap.Builder<String, ReduceOp> words = ImmutableMap.builder();
    for (ReduceOp op : values()) {
      words.put(op.word, op);
    }
    BY_WORD = words.buildOrThrow();
  }

  private final String word;
  private final ReductionKind kind;

  ReduceOp(String word, ReductionKind kind) {
    this.word = word;
    this.kind = kind;
  }

  /** Returns the reduction called {@code word}, or null. */
  static @Nullable ReduceOp byWord(String word) {
    return BY_WORD.get(word);
  }

  /** Returns the reduction of XLA that does it on {@code element}. */
  ReductionKind kind(ElementType element) {
    if (!element.isBool()) {
      return kind;
    }
    return switch (this) {
      case SUM, AVG, MAX, BOR -> ReductionKind.OR;
      case PRODUCT, MIN, BAND -> ReductionKind.AND;
      case BXOR -> ReductionKind.XOR;
    };
  }

  /**
   * Returns whether XLA has no reduction kind for it, so that the operands are gathered and folded.
   */
  boolean isGathered() {
    return this == BXOR;
  }

  /** Refuses element types that torch has no such reduction for. */
  void check(ElementType element, @Nullable Rounding rounding, CallConfig config) {
    if (element.isComplex() && this != SUM && this != AVG) {
      throw refuse("complex numbers take reduce_op sum and avg only, got " + word, config);
    }
    boolean bits = this == BAND || this == BOR || this == BXOR;
    if (element.isFloat() && bits) {
      throw refuse("reduce_op " + word + " needs integers or bool, got " + element, config);
    }
    if (this == AVG && element.isBool()) {
      throw refuse("reduce_op avg has no meaning on bool", config);
    }
    if (this == AVG && element.isInteger() && rounding == null) {
      throw refuse(
          "reduce_op avg on "
              + element
              + " needs rounding = \"trunc\" or \"floor\"; torch's gloo refuses it",
          config);
    }
  }

  private static DiagnosticException refuse(String message, CallConfig config) {
    return config.error("c10d-reduce-op", message);
  }
}
