/** Devices and process groups: the one place where group semantics are computed. */
@NullMarked
package dev.lockstep.hlo.grid;

import org.jspecify.annotations.NullMarked;
