/** Jobs of which each rank is a process: who starts them, what one does, and how they speak. */
@NullMarked
package dev.lockstep.tools.job;

import org.jspecify.annotations.NullMarked;
