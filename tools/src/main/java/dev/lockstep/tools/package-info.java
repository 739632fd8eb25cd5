/** The command line. */
@NullMarked
package dev.lockstep.tools;

import org.jspecify.annotations.NullMarked;
