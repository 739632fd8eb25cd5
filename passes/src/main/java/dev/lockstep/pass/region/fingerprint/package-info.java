/**
 * Programs as canonical text, in which names, places and ways of writing do not show, and digests
 * of it.
 */
@NullMarked
package dev.lockstep.pass.region.fingerprint;

import org.jspecify.annotations.NullMarked;
