/** Pipelines, the pass manager and its instruments; what passes do is in golden files. */
@NullMarked
package dev.lockstep.pass;

import org.jspecify.annotations.NullMarked;
