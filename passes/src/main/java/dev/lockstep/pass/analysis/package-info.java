/** What passes ask about a program; read-only, computed on demand. */
@NullMarked
package dev.lockstep.pass.analysis;

import org.jspecify.annotations.NullMarked;
