/** Tests of the HLO text reader and printer. */
@NullMarked
package dev.lockstep.hlo.text.hlo;

import org.jspecify.annotations.NullMarked;
