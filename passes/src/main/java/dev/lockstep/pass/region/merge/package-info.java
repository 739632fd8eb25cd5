/** Writes programs that were put side by side as one text that says the same on every rank. */
@NullMarked
package dev.lockstep.pass.region.merge;

import org.jspecify.annotations.NullMarked;
