package dev.lockstep.pass.region.merge;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;

/**
 * An argument that the repaired program takes in addition.
 *
 * @param index its number in value files, tuples taken apart
 * @param byClass its value for each class of ranks
 */
public record AddedInput(int index, ImmutableList<Literal> byClass) {}
