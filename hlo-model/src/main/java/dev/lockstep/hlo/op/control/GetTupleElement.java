package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.get_tuple_element}, HLO's {@code get-tuple-element}. */
public final class GetTupleElement {
  /** Which element. */
  public static final AttrKey<Long> INDEX = AttrKeys.integer("index", "index");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.get_tuple_element")
          .hlo("get-tuple-element")
          .summary("Picks an element of a tuple")
          .attributes(INDEX)
          .semantics(Semantics.Control.GET_TUPLE_ELEMENT)
          .build();

  private GetTupleElement() {}
}
