/** Tests of the cost model against what was measured. */
@NullMarked
package dev.lockstep.tools.cost;

import org.jspecify.annotations.NullMarked;
