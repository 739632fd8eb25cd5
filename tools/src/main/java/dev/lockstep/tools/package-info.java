/** The command line: what every verb shares. One file a verb in {@code verb}. */
@NullMarked
package dev.lockstep.tools;

import org.jspecify.annotations.NullMarked;
