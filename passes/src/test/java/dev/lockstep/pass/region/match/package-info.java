/** Tests of whether ranks meet. */
@NullMarked
package dev.lockstep.pass.region.match;

import org.jspecify.annotations.NullMarked;
