/** Walks the programs of several ranks side by side and says which operations correspond. */
@NullMarked
package dev.lockstep.pass.region.align;

import org.jspecify.annotations.NullMarked;
