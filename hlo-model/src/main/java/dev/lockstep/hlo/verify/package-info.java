/** Whether a module is well formed, beyond what its text says. */
@NullMarked
package dev.lockstep.hlo.verify;

import org.jspecify.annotations.NullMarked;
