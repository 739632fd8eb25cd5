package dev.lockstep.lower;

/**
 * One message: what {@code source} sends, {@code target} receives.
 *
 * @param source a rank
 * @param target a rank
 */
record Pair(int source, int target) {}
