/** What the verb split reads and writes: verdicts, plan folders, tables of segments. */
@NullMarked
package dev.lockstep.tools.split;

import org.jspecify.annotations.NullMarked;
