/**
 * Runs programs on PJRT plugins: shared libraries that compile and execute StableHLO and HLO on
 * CPUs, GPUs and TPUs.
 *
 * <p>Everything that a plugin gives is owned by a Java object and freed by its {@code close}, which
 * waits for calls in flight and closes what was made of it first. A closed object refuses before
 * native code is reached. Native code is in {@code src/main/native}.
 */
@NullMarked
package dev.lockstep.runtime.pjrt;

import org.jspecify.annotations.NullMarked;
