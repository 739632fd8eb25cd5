/**
 * Runs programs on a grid of devices, one step of one device at a time: no threads, and a device
 * that waits is a fact that can be reported.
 */
@NullMarked
package dev.lockstep.runtime.interp;

import org.jspecify.annotations.NullMarked;
