/** Splitting: plans compute what whole programs compute, on every rank and in every mode. */
@NullMarked
package dev.lockstep.golden.split;

import org.jspecify.annotations.NullMarked;
