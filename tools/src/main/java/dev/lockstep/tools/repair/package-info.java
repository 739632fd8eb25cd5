/** Makes the programs of ranks one text, from the command line. */
@NullMarked
package dev.lockstep.tools.repair;

import org.jspecify.annotations.NullMarked;
