package dev.lockstep.hlo.plan;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;

/**
 * One run of a segment.
 *
 * @param segment what runs
 * @param inputs names of the values that it takes, one an input; a name may stand twice
 * @param outputs names for the values that it gives, one an output, all new
 */
public record PlanStep(
    Segment segment, ImmutableList<String> inputs, ImmutableList<String> outputs) {
  /** Checks that names and segment fit. */
  public PlanStep {
    checkArgument(
        inputs.size() == segment.inputs().size(),
        "step %s has %s inputs, its segment takes %s",
        segment.name(),
        inputs.size(),
        segment.inputs().size());
    checkArgument(
        outputs.size() == segment.outputs().size(),
        "step %s has %s outputs, its segment gives %s",
        segment.name(),
        outputs.size(),
        segment.outputs().size());
  }
}
