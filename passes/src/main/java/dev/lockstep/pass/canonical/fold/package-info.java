/**
 * The rules of canonicalize, a theme a file. Laws: a rule never makes worse code, is exact to the
 * bit (-0.0 and NaN included), touches no collective, and has a case that fires and one that must
 * not.
 */
@NullMarked
package dev.lockstep.pass.canonical.fold;

import org.jspecify.annotations.NullMarked;
