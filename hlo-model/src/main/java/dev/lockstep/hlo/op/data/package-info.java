/** Ops that make and move data without computing on it. */
@NullMarked
package dev.lockstep.hlo.op.data;

import org.jspecify.annotations.NullMarked;
