/**
 * Whether the ranks of a job wait for each other for ever: every rank's program is stepped from
 * meeting to meeting, without computing more than its conditions need.
 */
@NullMarked
package dev.lockstep.pass.region.match;

import org.jspecify.annotations.NullMarked;
