package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/** HLO's {@code rng-get-and-update-state}. */
public final class RngGetAndUpdateState {
  /** How far the state moves. */
  public static final AttrKey<Long> DELTA = AttrKeys.integer("", "delta");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.rng_get_and_update_state")
          .hlo("rng-get-and-update-state")
          .summary("Reads and advances the state of the generator")
          .attributes(DELTA)
          .trait(Trait.SIDE_EFFECT, Trait.DEVICE_DEPENDENT)
          .semantics(
              (Semantics.Stateful)
                  (operation, operands, state) ->
                      ImmutableList.of(
                          Literal.of(
                              TensorType.of(ElementType.UI64, 2),
                              state.next(DELTA.getOr(operation, 0L)))))
          .build();

  private RngGetAndUpdateState() {}
}
