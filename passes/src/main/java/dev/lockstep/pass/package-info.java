/** What may be done to a program: module in, module out. */
@NullMarked
package dev.lockstep.pass;

import org.jspecify.annotations.NullMarked;
