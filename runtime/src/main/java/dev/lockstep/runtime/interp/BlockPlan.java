package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Value;

/**
 * A block prepared for running.
 *
 * @param block the block
 * @param arguments its parameters
 * @param argumentSlots where arguments go
 * @param captured values of enclosing blocks that it or its bodies read
 * @param captureSlots where those go
 * @param operations what runs, without parameters and terminator
 * @param returnSlots what it gives back
 * @param slots the size of a frame
 */
record BlockPlan(
    Block block,
    ImmutableList<Value> arguments,
    int[] argumentSlots,
    ImmutableList<Value> captured,
    int[] captureSlots,
    OpPlan[] operations,
    int[] returnSlots,
    int slots) {}
