/**
 * Where something is in a text, and what is wrong with it: sources, locations, diagnostics and
 * their rendering.
 */
@NullMarked
package dev.lockstep.hlo.diag;

import org.jspecify.annotations.NullMarked;
