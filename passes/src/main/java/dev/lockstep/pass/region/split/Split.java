package dev.lockstep.pass.region.split;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.plan.RankPlans;

/**
 * What splitting gives.
 *
 * @param plans the plans
 * @param notes what users should know: where more was kept together than the mode promises, and why
 */
public record Split(RankPlans plans, ImmutableList<Diagnostic> notes) {}
