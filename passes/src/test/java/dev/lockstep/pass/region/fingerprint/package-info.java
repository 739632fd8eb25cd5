/** Tests of fingerprints. */
@NullMarked
package dev.lockstep.pass.region.fingerprint;

import org.jspecify.annotations.NullMarked;
