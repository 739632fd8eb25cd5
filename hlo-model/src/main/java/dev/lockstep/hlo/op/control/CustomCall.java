package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.custom_call}, HLO's {@code custom-call}. */
public final class CustomCall {
  /** The name of the code. */
  public static final AttrKey<String> TARGET =
      AttrKeys.word("call_target_name", "custom_call_target");

  /** Whether it must stay when nobody uses its results. */
  public static final AttrKey<Boolean> HAS_SIDE_EFFECT =
      AttrKeys.flag("has_side_effect", "custom_call_has_side_effect");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.custom_call")
          .hlo("custom-call")
          .summary("Runs code from outside")
          .attributes(TARGET, HAS_SIDE_EFFECT)
          .inherent(
              "backend_config",
              "api_version",
              "called_computations",
              "operand_layouts",
              "result_layouts",
              "output_operand_aliases")
          .bodies("called_computations", "to_apply")
          .constraint(
              "layouts", "layouts are those of operands and results", CustomCallRules::layouts)
          .constraint("aliases", "parts that share memory have one type", CustomCallRules::aliases)
          .moduleConstraint(
              "config",
              "the configuration has the form that the version wants",
              CustomCallRules::config)
          .semantics((Semantics.ByOperation) CustomTargets::meaning)
          .build();

  private CustomCall() {}
}
