/** From words on the command line to programs: files, folders, globs, sets of ranks. */
@NullMarked
package dev.lockstep.tools.input;

import org.jspecify.annotations.NullMarked;
