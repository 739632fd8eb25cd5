/** What the code itself must look like, whatever it does. */
@NullMarked
package dev.lockstep.golden.arch;

import org.jspecify.annotations.NullMarked;
