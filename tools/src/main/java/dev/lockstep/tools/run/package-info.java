/** What the verb run does with values: where they come from, how they are shown and compared. */
@NullMarked
package dev.lockstep.tools.run;

import org.jspecify.annotations.NullMarked;
