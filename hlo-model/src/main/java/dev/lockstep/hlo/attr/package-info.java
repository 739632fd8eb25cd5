/** The closed set of attributes, shared by StableHLO and HLO text. */
@NullMarked
package dev.lockstep.hlo.attr;

import org.jspecify.annotations.NullMarked;
