/** What torch's gloo really computed, against what lowered programs compute. */
@NullMarked
package dev.lockstep.golden.gloo;

import org.jspecify.annotations.NullMarked;
