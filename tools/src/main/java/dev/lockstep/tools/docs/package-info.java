/** The documents that are written from the definitions of ops and passes. */
@NullMarked
package dev.lockstep.tools.docs;

import org.jspecify.annotations.NullMarked;
