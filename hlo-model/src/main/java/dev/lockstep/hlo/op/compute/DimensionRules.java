package dev.lockstep.hlo.op.compute;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.type.TensorType;

/** Rules about lists of dimensions that several ops share. */
final class DimensionRules {
  private static final ImmutableLongArray NONE = ImmutableLongArray.of();

  private static final AttrKey<Attribute> PRECISION =
      AttrKey.of("precision_config", "operand_precision", a -> a, "precisions");

  private DimensionRules() {}

  /** Both lists have one length. */
  static Constraint.Check sameLength(
      AttrKey<ImmutableLongArray> left, AttrKey<ImmutableLongArray> right) {
    return TensorRule.of(
        it ->
            it.require(
                of(it, left).length() == of(it, right).length(),
                "%s and %s differ in length",
                of(it, left),
                of(it, right)));
  }

  /** No dimension stands twice in the lists together. */
  @SafeVarargs
  static Constraint.Check unique(AttrKey<ImmutableLongArray>... keys) {
    return TensorRule.of(
        it -> {
          ImmutableLongArray all = all(it, keys);
          it.require(
              all.stream().distinct().count() == all.length(),
              "a dimension stands twice in %s",
              all);
        });
  }

  /** All dimensions of the lists are among those of operand {@code operand}. */
  @SafeVarargs
  static Constraint.Check within(int operand, AttrKey<ImmutableLongArray>... keys) {
    return TensorRule.of(
        it -> {
          if (it.operands() <= operand) {
            return;
          }
          ImmutableLongArray all = all(it, keys);
          int rank = it.operand(operand).rank();
          it.require(
              all.stream().allMatch(d -> d >= 0 && d < rank),
              "dimensions %s are not those of a tensor of rank %s",
              all,
              rank);
        });
  }

  /** All dimensions of the list are among those of the first result. */
  static Constraint.Check withinResult(AttrKey<ImmutableLongArray> key) {
    return TensorRule.of(
        it -> {
          int rank = it.result().rank();
          it.require(
              of(it, key).stream().allMatch(d -> d >= 0 && d < rank),
              "dimensions %s are not those of a result of rank %s",
              of(it, key),
              rank);
        });
  }

  /** The list grows from entry to entry, or stays equal. */
  static Constraint.Check sorted(AttrKey<ImmutableLongArray> key) {
    return TensorRule.of(
        it -> {
          ImmutableLongArray dims = of(it, key);
          for (int i = 1; i < dims.length(); i++) {
            if (!it.require(dims.get(i - 1) <= dims.get(i), "dimensions %s are not sorted", dims)) {
              return;
            }
          }
        });
  }

  /** Sizes along both lists are equal, entry by entry. */
  static Constraint.Check sameSizes(
      AttrKey<ImmutableLongArray> left, AttrKey<ImmutableLongArray> right) {
    return TensorRule.of(
        it -> {
          ImmutableLongArray l = of(it, left);
          ImmutableLongArray r = of(it, right);
          boolean isSparse = it.operation().attribute("sparsity") != null;
          for (int i = 0; !isSparse && i < Math.min(l.length(), r.length()); i++) {
            if (!has(it.operand(0), l.get(i)) || !has(it.operand(1), r.get(i))) {
              return;
            }
            it.require(
                TensorRule.agree(
                    it.operand(0).dim((int) l.get(i)), it.operand(1).dim((int) r.get(i))),
                "dimension %s of %s and dimension %s of %s differ in size",
                l.get(i),
                it.operand(0),
                r.get(i),
                it.operand(1));
          }
        });
  }

  /** Entries are positive. */
  static Constraint.Check positive(AttrKey<ImmutableLongArray> key) {
    return TensorRule.of(
        it ->
            it.require(
                of(it, key).stream().allMatch(n -> n > 0), "%s must be above zero", of(it, key)));
  }

  /** There is one entry for each dimension of operand 0, or there are none. */
  static Constraint.Check oneEach(AttrKey<ImmutableLongArray> key) {
    return TensorRule.of(
        it -> {
          if (it.operands() == 0) {
            return;
          }
          ImmutableLongArray given = of(it, key);
          it.require(
              given.isEmpty() || given.length() == it.operand(0).rank(),
              "%s must have one entry for each dimension of a tensor of rank %s",
              given,
              it.operand(0).rank());
        });
  }

  /** There is at most one precision for each of two operands. */
  static Constraint.Check precisions() {
    return (operation, code, sink) -> {
      Attribute given = PRECISION.raw(operation);
      if (given instanceof Attribute.Array && ((Attribute.Array) given).elements().size() > 2) {
        sink.error(
            code,
            String.format(
                "%d precisions for two operands", ((Attribute.Array) given).elements().size()),
            operation.location());
      } else if (given instanceof Attribute.Array
          && !((Attribute.Array) given).elements().stream().allMatch(DimensionRules::isPrecision)) {
        sink.error(code, "precisions must be DEFAULT, HIGH or HIGHEST", operation.location());
      }
    };
  }

  private static boolean isPrecision(Attribute attribute) {
    // HLO writes small letters, and knows a fourth.
    return attribute instanceof Attribute.Word
        && ImmutableSet.of("DEFAULT", "HIGH", "HIGHEST", "PACKED_NIBBLE")
            .contains(Ascii.toUpperCase(((Attribute.Word) attribute).value()));
  }

  /** Requires that result 0 has the sizes {@code dims}. */
  static void requireResult(TensorRule.Case it, long[] dims) {
    requireResult(it, 0, ImmutableLongArray.copyOf(dims));
  }

  /** Requires that result {@code i} has the sizes {@code dims}. */
  static boolean requireResult(TensorRule.Case it, int i, ImmutableLongArray dims) {
    TensorType wanted = TensorType.of(it.result(i).element(), dims);
    return it.require(
        TensorRule.agreeInShape(wanted, it.result(i)),
        "the result must have the shape of %s, not %s",
        wanted,
        it.result(i));
  }

  static boolean has(TensorType type, long dim) {
    return dim >= 0 && dim < type.rank();
  }

  static ImmutableLongArray of(TensorRule.Case it, AttrKey<ImmutableLongArray> key) {
    return key.getOr(it.operation(), NONE);
  }

  @SafeVarargs
  private static ImmutableLongArray all(TensorRule.Case it, AttrKey<ImmutableLongArray>... keys) {
    ImmutableLongArray.Builder out = ImmutableLongArray.builder();
    for (AttrKey<ImmutableLongArray> key : keys) {
      out.addAll(of(it, key));
    }
    return out.build();
  }
}
