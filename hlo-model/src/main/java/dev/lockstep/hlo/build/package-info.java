/** Building and rewriting programs in the syntax that they were read in. */
@NullMarked
package dev.lockstep.hlo.build;

import org.jspecify.annotations.NullMarked;
