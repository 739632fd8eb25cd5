/** Watching passes run: printing, snapshots, time and counters. */
@NullMarked
package dev.lockstep.pass.instrument;

import org.jspecify.annotations.NullMarked;
