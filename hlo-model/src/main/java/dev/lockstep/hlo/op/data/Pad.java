package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.pad}: adds or removes elements at the edges and between elements. */
public final class Pad {
  /** Elements before the first; negative removes. */
  public static final AttrKey<ImmutableLongArray> LOW =
      AttrKeys.longs("edge_padding_low", "padding.low");

  /** Elements after the last; negative removes. */
  public static final AttrKey<ImmutableLongArray> HIGH =
      AttrKeys.longs("edge_padding_high", "padding.high");

  /** Elements between two; not negative. */
  public static final AttrKey<ImmutableLongArray> INTERIOR =
      AttrKeys.longs("interior_padding", "padding.interior");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.pad")
          .hlo("pad")
          .summary("Adds or removes elements at the edges and between elements")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(LOW, HIGH, INTERIOR)
          .keyword("edge_padding_low", "low")
          .keyword("edge_padding_high", "high")
          .keyword("interior_padding", "interior")
          .local(Pad::eval)
          .build();

  private Pad() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    return ImmutableList.of(
        Movement.pad(
            (Literal) operands.get(0),
            (Literal) operands.get(1),
            LOW.get(operation).toArray(),
            HIGH.get(operation).toArray(),
            INTERIOR.get(operation).toArray()));
  }
}
