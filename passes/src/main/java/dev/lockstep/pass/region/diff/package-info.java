/** Why the programs of ranks differ: where, how, and what a model's author can do about it. */
@NullMarked
package dev.lockstep.pass.region.diff;

import org.jspecify.annotations.NullMarked;
