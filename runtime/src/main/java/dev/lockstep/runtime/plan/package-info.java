/** Execution plans in files, and running them on the interpreter. */
@NullMarked
package dev.lockstep.runtime.plan;

import org.jspecify.annotations.NullMarked;
