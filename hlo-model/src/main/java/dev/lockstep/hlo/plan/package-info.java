/**
 * Execution plans: a program cut into segments that are compiled apart, their order, and the values
 * that flow between them. Made by passes, run by the runtime, written to files by tools.
 */
@NullMarked
package dev.lockstep.hlo.plan;

import org.jspecify.annotations.NullMarked;
