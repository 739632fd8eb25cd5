package dev.lockstep.pass.canonical.fold;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.data.BroadcastInDim;
import dev.lockstep.hlo.op.data.Constant;
import dev.lockstep.hlo.op.data.Iota;
import dev.lockstep.hlo.type.Layout;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is known of values while a program is walked in program order: who defines them. */
public final class Facts {
  private final long maxElements;
  private final Map<Value, Operation> definitions = new IdentityHashMap<>();

  /** Creates facts; constants of more than {@code maxElements} are not looked into. */
  public Facts(long maxElements) {
    this.maxElements = maxElements;
  }

  /** Notes the results of {@code operation}. */
  public void define(Operation operation) {
    operation.results().forEach(result -> definitions.put(result, operation));
  }

  /** Returns the operation that defines {@code value}, or null for an argument. */
  public @Nullable Operation definition(Value value) {
    return definitions.get(value);
  }

  /** Returns the largest number of elements that a folded constant may have. */
  public long maxElements() {
    return maxElements;
  }

  /**
   * Returns what {@code value} always is: a constant, a broadcast scalar constant as a splat, or
   * the numbers of an iota; null when that is not known or too large.
   */
  public @Nullable Literal constant(Value value) {
    Operation definition = definitions.get(value);
    if (definition == null
        || !(value.type() instanceof TensorType type)
        || !type.isStatic()
        || type.element().bits() == 0) {
      return null;
    }
    if (definition.is(Constant.DEF)) {
      Literal literal =
          definition.attribute("value") instanceof Attribute.Dense dense ? dense.literal() : null;
      return literal != null && (literal.isSplat() || literal.count() <= maxElements)
          ? literal
          : null;
    }
    if (definition.is(BroadcastInDim.DEF)) {
      Literal scalar = constant(definition.operand(0));
      return scalar != null && scalar.count() == 1
          ? Literal.splat(type, scalar.dense().rawStorage())
          : null;
    }
    if (definition.is(Iota.DEF)
        && type.count() <= maxElements
        && definition.def().semantics() instanceof Semantics.Local meaning) {
      return (Literal) meaning.eval(definition, ImmutableList.of()).get(0);
    }
    return null;
  }

  /** Returns the one element of which {@code value} is full, as a rank-0 literal, or null. */
  public @Nullable Literal splat(Value value) {
    Literal literal = constant(value);
    return literal == null || literal.count() == 0 ? null : uniform(literal);
  }

  /** Returns the one element of which {@code literal} is full, as a rank-0 literal, or null. */
  static @Nullable Literal uniform(Literal literal) {
    if (!literal.isSplat()) {
      for (int i = 1; i < literal.count(); i++) {
        if (!literal.sameBits(0, literal, i)) {
          return null;
        }
      }
    }
    LiteralBuilder one = new LiteralBuilder(TensorType.of(literal.element()));
    one.copy(0, literal, 0);
    return one.build();
  }

  /**
   * Returns whether a value of one type may stand where one of the other stood: same data, and the
   * same layout, where none written means the default one.
   */
  public static boolean isInterchangeable(Type a, Type b) {
    if (a.equals(b)) {
      return true;
    }
    if (a instanceof TensorType x && b instanceof TensorType y) {
      return x.withLayout(null).equals(y.withLayout(null))
          && isDefaultOr(x.layout(), y.layout(), x.rank());
    }
    if (a instanceof TupleType x && b instanceof TupleType y) {
      if (x.elements().size() != y.elements().size()) {
        return false;
      }
      for (int i = 0; i < x.elements().size(); i++) {
        if (!isInterchangeable(x.elements().get(i), y.elements().get(i))) {
          return false;
        }
      }
      return true;
    }
    return false;
  }

  private static boolean isDefaultOr(@Nullable Layout a, @Nullable Layout b, int rank) {
    if (a == null) {
      return b == null || isDefault(b, rank);
    }
    return b == null ? isDefault(a, rank) : a.equals(b);
  }

  private static boolean isDefault(Layout layout, int rank) {
    if (!layout.extras().isEmpty() || layout.minorToMajor().length() != rank) {
      return false;
    }
    for (int i = 0; i < rank; i++) {
      if (layout.minorToMajor().get(i) != rank - 1 - i) {
        return false;
      }
    }
    return true;
  }
}
