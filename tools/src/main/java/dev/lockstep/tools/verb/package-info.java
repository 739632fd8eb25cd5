/** One file a verb of the command line. */
@NullMarked
package dev.lockstep.tools.verb;

import org.jspecify.annotations.NullMarked;
