/** The programs of all ranks of a job: where ranks meet, and the regions between. */
@NullMarked
package dev.lockstep.pass.region;

import org.jspecify.annotations.NullMarked;
