/**
 * Cuts programs into segments: whole, around every collective, or only around the regions in which
 * ranks differ. Program order of collectives is kept in every mode.
 */
@NullMarked
package dev.lockstep.pass.region.split;

import org.jspecify.annotations.NullMarked;
