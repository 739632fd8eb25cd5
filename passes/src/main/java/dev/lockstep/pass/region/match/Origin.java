package dev.lockstep.pass.region.match;

import dev.lockstep.hlo.diag.Location;

/**
 * What a value depends on that every rank has for itself.
 *
 * @param words what it is, for a message: {@code argument 0}
 * @param location where it stands
 */
record Origin(String words, Location location) {}
