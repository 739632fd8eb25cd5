package dev.lockstep.hlo.op.control;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code sdy.constant}. */
public final class SdyConstant {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.constant")
          .summary("A constant that is kept apart for propagation")
          .inherent("value")
          .trait(Trait.CONSTANT)
          .local(
              (operation, operands) ->
                  ImmutableList.of(
                      ((Attribute.Dense) requireNonNull(operation.attribute("value"))).literal()))
          .build();

  private SdyConstant() {}
}
