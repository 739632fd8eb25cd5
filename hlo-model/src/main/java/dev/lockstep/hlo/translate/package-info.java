/** StableHLO to HLO and back: one IR, the other syntax's ops, attributes and structure. */
@NullMarked
package dev.lockstep.hlo.translate;

import org.jspecify.annotations.NullMarked;
