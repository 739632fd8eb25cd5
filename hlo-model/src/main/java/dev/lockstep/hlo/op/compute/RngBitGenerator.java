package dev.lockstep.hlo.op.compute;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.RandomBits;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;

/** {@code stablehlo.rng_bit_generator}, HLO's {@code rng-bit-generator}. */
public final class RngBitGenerator {
  /** DEFAULT, THREE_FRY or PHILOX; HLO writes rng_three_fry. */
  public static final AttrKey<String> ALGORITHM = AttrKeys.word("rng_algorithm", "algorithm");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.rng_bit_generator")
          .hlo("rng-bit-generator")
          .summary("Random bits from a state")
          .attributes(ALGORITHM)
          .takesFirst(2, TypeClass.INT_OR_FLOAT)
          .givesAll(TypeClass.INT_OR_FLOAT)
          .constraint(
              "C1",
              "the state keeps its type",
              TensorRule.of(
                  it ->
                      it.require(
                          // HLO may give the numbers alone.
                          it.isHlo() && it.results().size() == 1
                              || TensorRule.agree(it.operand(0), it.result()),
                          "the state has type %s before and %s after",
                          it.operand(0),
                          it.result())))
          .constraint(
              "C2",
              "the state has the size that the algorithm wants",
              TensorRule.of(RngBitGenerator::checkSize))
          .local(RngBitGenerator::eval)
          .build();

  private RngBitGenerator() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal state = (Literal) operands.get(0);
    checkArgument(
        state.element() == ElementType.UI64, "the state is %s, must be of ui64", state.type());
    ImmutableList<TensorType> types = results(operation);
    TensorType type = types.get(types.size() - 1);
    int bits = type.element().bits();
    checkArgument(
        !type.element().isComplex() && !type.element().isBool() && bits <= 64,
        "no bits are drawn for %s",
        type);
    // XLA's own default is Philox on all its backends that expand this op.
    RandomBits drawn =
        isThreeFry(operation)
            ? RandomBits.threefry(state.toLongs(), type.dims(), bits)
            : RandomBits.philox(state.toLongs(), Math.toIntExact(type.count()), bits);
    LiteralBuilder out = new LiteralBuilder(TensorType.of(type.element(), type.dims()));
    long[] words = drawn.words();
    for (int i = 0; i < words.length; i++) {
      out.setBits(i, words[i]);
    }
    return types.size() == 1
        ? ImmutableList.of(out.build())
        : ImmutableList.of(Literal.of(state.type(), drawn.state()), out.build());
  }

  /** Returns the types of state and numbers, or of the numbers alone, which HLO may want. */
  private static ImmutableList<TensorType> results(Operation operation) {
    ImmutableList.Builder<TensorType> out = ImmutableList.builder();
    for (Type type : operation.resultTypes()) {
      for (Type each :
          type instanceof TupleType ? ((TupleType) type).elements() : ImmutableList.of(type)) {
        out.add((TensorType) each);
      }
    }
    return out.build();
  }

  private static boolean isThreeFry(Operation operation) {
    String algorithm = ALGORITHM.get(operation);
    return algorithm.equals("THREE_FRY") || algorithm.equals("rng_three_fry");
  }

  private static void checkSize(TensorRule.Case it) {
    String algorithm = ALGORITHM.get(it.operation());
    // XLA's expander takes longer states, of which it uses the beginning.
    if (it.isHlo() || it.operand(0).rank() != 1 || it.operand(0).element() != ElementType.UI64) {
      return;
    }
    long size = it.operand(0).dim(0);
    boolean threeFry = isThreeFry(it.operation());
    boolean philox = algorithm.equals("PHILOX") || algorithm.equals("rng_philox");
    it.require(
        size == TensorType.DYNAMIC || !threeFry && !philox || size == 2 || philox && size == 3,
        "a state of %d elements does not do for %s",
        size,
        algorithm);
  }
}
