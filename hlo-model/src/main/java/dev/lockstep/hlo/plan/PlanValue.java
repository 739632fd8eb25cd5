package dev.lockstep.hlo.plan;

import dev.lockstep.hlo.type.TensorType;

/**
 * A tensor under a name that is unique in a plan.
 *
 * @param name {@code in0} for arguments, {@code v0} for what segments give
 * @param type its type
 */
public record PlanValue(String name, TensorType type) {}
