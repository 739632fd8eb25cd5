/** PJRT on the command line: where plugins come from, and programs run on them. */
@NullMarked
package dev.lockstep.tools.pjrt;

import org.jspecify.annotations.NullMarked;
