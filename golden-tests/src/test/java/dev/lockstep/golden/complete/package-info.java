/** Completeness: every pass, lowering and label has its cases. */
@NullMarked
package dev.lockstep.golden.complete;

import org.jspecify.annotations.NullMarked;
