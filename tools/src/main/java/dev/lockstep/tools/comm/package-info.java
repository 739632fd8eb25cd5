/** What a program communicates: counts and bytes of its collectives. */
@NullMarked
package dev.lockstep.tools.comm;

import org.jspecify.annotations.NullMarked;
