package dev.lockstep.hlo.op.compute;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

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
          .build();

  private RngBitGenerator() {}
}
