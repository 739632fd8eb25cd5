package dev.lockstep.hlo.op.compute;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/** {@code stablehlo.rng_bit_generator}, HLO's {@code rng-bit-generator}. */
public final class RngBitGenerator {
  /** DEFAULT, THREE_FRY or PHILOX; HLO writes rng_three_fry. */
  public static final AttrKey<String> ALGORITHM = AttrKeys.word("rng_algorithm", "algorithm");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.rng_bit_generator")
          .hlo("rng-bit-generator")
          .summary("Random bits from a state")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(ALGORITHM)
          .keyword("rng_algorithm", "algorithm")
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
          .build();

  private RngBitGenerator() {}

  private static void checkSize(TensorRule.Case it) {
    String algorithm = ALGORITHM.get(it.operation());
    // XLA's expander takes longer states, of which it uses the beginning.
    if (it.isHlo() || it.operand(0).rank() != 1 || it.operand(0).element() != ElementType.UI64) {
      return;
    }
    long size = it.operand(0).dim(0);
    boolean threeFry = algorithm.equals("THREE_FRY") || algorithm.equals("rng_three_fry");
    boolean philox = algorithm.equals("PHILOX") || algorithm.equals("rng_philox");
    it.require(
        size == TensorType.DYNAMIC || !threeFry && !philox || size == 2 || philox && size == 3,
        "a state of %d elements does not do for %s",
        size,
        algorithm);
  }
}
