/** Clean-up: dead code, common subexpressions, folding, degenerate collectives. */
@NullMarked
package dev.lockstep.pass.canonical;

import org.jspecify.annotations.NullMarked;
