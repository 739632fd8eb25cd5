package dev.lockstep.pass.region.repair;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.data.Constant;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.merge.AddedInputs;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;
import dev.lockstep.pass.region.merge.RankTables;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Constants that differ become a table with a row a rank, or an argument; of tensors that are full
 * of one element, only that element does. Elements are copied bit for bit.
 */
record LiteralRule(RepairOptions options) implements MergeRule {
  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    return operation.is(Constant.DEF)
        && (Differences.isOnly(operation, ImmutableSet.of("value")) || !operation.isUniform());
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    TensorType type = merge.sizes().tensor(operation.result());
    ImmutableList<Literal> literals = literals(operation, merge, type);
    Literal first = literals.get(0);
    if (literals.stream().allMatch(first::equals)) {
      return ImmutableList.of(merge.builder().constant(first));
    }
    if (type.rank() > 0 && literals.stream().allMatch(it -> single(it) != null)) {
      ImmutableList.Builder<Literal> scalars = ImmutableList.builder();
      literals.forEach(it -> scalars.add(java.util.Objects.requireNonNull(single(it))));
      Value scalar = value(operation, merge, scalars.build());
      return ImmutableList.of(merge.builder().broadcastInDim(scalar, plain(type)));
    }
    return ImmutableList.of(value(operation, merge, literals));
  }

  /** Returns what stands for the scalar {@code constant} of a reducer, around the reduction. */
  Value outside(AlignedOp constant, BlockMerge merge) {
    TensorType type = merge.sizes().tensor(constant.result());
    return value(constant, merge, literals(constant, merge, type));
  }

  private static TensorType plain(TensorType type) {
    return TensorType.of(type.element(), type.dims());
  }

  private Value value(AlignedOp operation, BlockMerge merge, ImmutableList<Literal> literals) {
    if (merge.kind() == BlockMerge.Kind.SCALAR) {
      throw merge.refusal(
          "repair-reducer",
          "a literal in code that runs for single elements differs between ranks ("
              + LiteralText.of(merge.classes(), literals)
              + "); such code takes nothing but elements",
          operation);
    }
    String what = "literal " + LiteralText.of(merge.classes(), literals);
    long bytes = RankTables.bytes(merge.classes(), literals);
    if (isInput(merge, bytes)) {
      Value input = merge.input(new AddedInputs.Values(literals));
      merge.step("literal", what + ": an argument", operation);
      return input;
    }
    if (bytes > Integer.MAX_VALUE / 8) {
      throw merge.refusal(
          "repair-size", what + ": a table of " + bytes + " bytes is too large", operation);
    }
    Value picked = merge.tables().literal(literals, merge.builder());
    merge.step("literal", what + ": a table", operation);
    return picked;
  }

  private boolean isInput(BlockMerge merge, long bytes) {
    boolean wanted =
        switch (options.literals()) {
          case AUTO -> bytes > options.tableLimit();
          case TABLE -> false;
          case INPUT -> true;
        };
    boolean isHlo = merge.builder().scope().syntax() == Syntax.HLO;
    return wanted
        && (merge.kind() == BlockMerge.Kind.ENTRY
            || merge.kind() == BlockMerge.Kind.INSIDE_ENTRY && !isHlo);
  }

  /** Returns the literals of all classes in one type; what sizes add is zero, or as the rest is. */
  private static ImmutableList<Literal> literals(
      AlignedOp operation, BlockMerge merge, TensorType type) {
    ImmutableList.Builder<Literal> out = ImmutableList.builder();
    for (Operation each : operation.operations()) {
      if (!(each.attribute("value") instanceof Attribute.Dense dense)) {
        throw merge.refusal(
            "repair-literal", "the value of a constant that differs is not known", operation);
      }
      out.add(sized(dense.literal(), plain(type)));
    }
    return out.build();
  }

  private static Literal sized(Literal literal, TensorType type) {
    if (literal.dims().equals(type.dims())) {
      return literal;
    }
    Literal element = single(literal);
    if (element != null) {
      return Literal.splat(type, element.rawStorage());
    }
    LiteralBuilder out = new LiteralBuilder(type);
    long[] index = new long[type.rank()];
    for (int i = 0; i < literal.count(); i++) {
      long at = 0;
      for (int d = 0; d < index.length; d++) {
        at = at * type.dim(d) + index[d];
      }
      out.copy((int) at, literal, i);
      for (int d = index.length - 1; d >= 0 && ++index[d] == literal.dims().get(d); d--) {
        index[d] = 0;
      }
    }
    return out.build();
  }

  /** Returns the element that all of {@code literal} are, as a scalar; null when they differ. */
  private static @Nullable Literal single(Literal literal) {
    if (literal.count() == 0) {
      return null;
    }
    for (int i = 1; i < literal.count() && !literal.isSplat(); i++) {
      if (!literal.sameBits(0, literal, i)) {
        return null;
      }
    }
    LiteralBuilder out = new LiteralBuilder(TensorType.of(literal.element()));
    out.copy(0, literal, 0);
    return out.build();
  }

  /** Returns the word of an option. */
  static RepairOptions.Literals form(String word) {
    return RepairOptions.Literals.valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** Returns the words of {@link #form}. */
  static String[] words() {
    return List.of(RepairOptions.Literals.values()).stream()
        .map(it -> it.name().toLowerCase(Locale.ROOT))
        .toArray(String[]::new);
  }
}
