package dev.lockstep.hlo.diag;

/**
 * A further place that explains a diagnostic.
 *
 * @param message lower case, no full stop
 * @param location where to look
 */
public record Note(String message, Location location) {}
