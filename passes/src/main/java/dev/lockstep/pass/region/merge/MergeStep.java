package dev.lockstep.pass.region.merge;

import dev.lockstep.hlo.diag.Location;

/**
 * One thing that was done to make programs equal.
 *
 * @param kind what differed, one word: literal, padding, slice, groups, shape, order
 * @param message what was done, in words for people
 * @param location the operation in the first rank's program
 */
public record MergeStep(String kind, String message, Location location) {}
