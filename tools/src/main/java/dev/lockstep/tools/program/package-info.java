/** Programs as the verbs handle them: reading, checking, printing, chunks, passes by name. */
@NullMarked
package dev.lockstep.tools.program;

import org.jspecify.annotations.NullMarked;
