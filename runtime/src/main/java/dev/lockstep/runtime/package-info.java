/** What a program computes. */
@NullMarked
package dev.lockstep.runtime;

import org.jspecify.annotations.NullMarked;
