package dev.lockstep.hlo.op;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.MemberOrder;
import dev.lockstep.hlo.grid.ProcessGroups;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.kernel.GeneratorState;

/**
 * What an op computes, as pure functions. The interpreter drives them; it knows kinds of semantics,
 * never names of ops.
 *
 * <p>Results are always given one by one. In HLO, where an operation has one result, the
 * interpreter packs several into a tuple when the result's type is a tuple and the list is not
 * already that one tuple.
 */
public sealed interface Semantics {

  /**
   * Runs the bodies of an operation on one device; bodies that communicate are not run this way.
   */
  interface BodyRunner {
    /** Returns what body {@code index} gives back for {@code arguments}. */
    ImmutableList<Datum> run(int index, ImmutableList<Datum> arguments);

    /** Returns the block of body {@code index}, so that common reducers can be recognised. */
    dev.lockstep.hlo.ir.Block body(int index);
  }

  /** One device's operands to its results. */
  non-sealed interface Local extends Semantics {
    /** Returns the results; the result types stand on {@code operation}. */
    ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands);
  }

  /** As {@link Local}, with code to run: reduce, sort, scatter, map. */
  non-sealed interface Regional extends Semantics {
    /** Returns the results. */
    ImmutableList<Datum> eval(
        Operation operation, ImmutableList<Datum> operands, BodyRunner bodies);
  }

  /** Depends on where it runs: partition_id, replica_id. */
  non-sealed interface PerDevice extends Semantics {
    /** Returns the results on {@code device} of {@code grid}. */
    ImmutableList<Datum> eval(
        Operation operation, ImmutableList<Datum> operands, int device, DeviceGrid grid);
  }

  /** Reads and moves on what a device keeps while a program runs: rng. */
  non-sealed interface Stateful extends Semantics {
    /** Returns the results on the device whose state is given. */
    ImmutableList<Datum> eval(
        Operation operation, ImmutableList<Datum> operands, GeneratorState state);
  }

  /** The operands of all members of a group, in group order, to the results of all members. */
  non-sealed interface Collective extends Semantics {
    /**
     * Returns who meets.
     *
     * @throws IllegalArgumentException if the groups make no sense on {@code grid}
     */
    ProcessGroups groups(Operation operation, DeviceGrid grid, MemberOrder order);

    /**
     * Returns the results of every member; of an op that only starts ({@code ASYNC}), what its done
     * operation gives.
     *
     * @param operation the operation, which is the same text on every member
     * @param operands operands of each member, in group order
     * @param members the devices of the group, in group order
     * @param grid all devices, for ops whose groups are pairs of ids
     * @param bodies runs the reducer
     */
    ImmutableList<ImmutableList<Datum>> eval(
        Operation operation,
        ImmutableList<ImmutableList<Datum>> operands,
        ImmutableList<Integer> members,
        DeviceGrid grid,
        BodyRunner bodies);

    /**
     * Returns the results of a device that is in no group; by default there is no meaning.
     *
     * @throws IllegalArgumentException if the op gives such a device nothing
     */
    default ImmutableList<Datum> outside(Operation operation, ImmutableList<Datum> operands) {
      throw new IllegalArgumentException("the device is in no group");
    }
  }

  /** Code that may communicate, or values with a special representation: the engine's own kinds. */
  enum Control implements Semantics {
    /** Runs body 0 with the operands: call, fusion, composite. */
    CALL,
    /** Runs body 0 on each device's parts of the operands: sdy.manual_computation. */
    MANUAL,
    /** Cuts arrays into each device's parts: custom call SPMDFullToShardShape. */
    TO_PARTS,
    /** Joins each device's parts: custom call SPMDShardToFullShape. */
    FROM_PARTS,
    /** while: body 0 is the condition, body 1 the loop. */
    WHILE,
    /**
     * if and HLO's conditional on a predicate: body 0 when true. Each HLO branch has one operand.
     */
    IF,
    /** case and HLO's conditional on an index; out of range runs the last. */
    CASE,
    /** Gives the operands back: optimization_barrier, copy, after_all makes a token. */
    FORWARD,
    /** Makes a tuple of the operands. */
    TUPLE,
    /** Picks an element of a tuple. */
    GET_TUPLE_ELEMENT,
    /** Makes a token once the operands are there. */
    AFTER_ALL,
    /** Starts body 0, or the one operation in it; gives a future. */
    ASYNC_START,
    /** Passes the future on. */
    ASYNC_UPDATE,
    /** Gives the results of the future. */
    ASYNC_DONE,
    /** An argument of an HLO computation. */
    PARAMETER,
    /** Ends a block. */
    RETURN,
    /** Sends to another device; matched with {@link #RECV} by channel and pairs. */
    SEND,
    /** Waits until a send has been matched. */
    SEND_DONE,
    /** Receives from another device. */
    RECV,
    /** Gives what was received. */
    RECV_DONE,
    /** Takes the next values that the host feeds, then a token. */
    INFEED,
    /** Gives values to the host; makes a token. */
    OUTFEED,
    /** Runs a grid of functions, one a device: attribute {@code programs} of rows of symbols. */
    RUN_PARALLEL,
    /** Hands a value to whoever watches, under attribute {@code probe_id}, and gives it back. */
    PROBE,
    /**
     * Fails unless the operand equals what was handed over under {@code probe_id}, the time {@code
     * iteration} says.
     */
    EXPECT_PROBED,
    /** Prints a value. */
    PRINT,
    /** HLO's conditional: as {@link #IF} when operand 0 is i1, else as {@link #CASE}. */
    CONDITIONAL
  }

  /** Has a meaning for each operation by itself: custom calls, by their target. */
  non-sealed interface ByOperation extends Semantics {
    /** Returns the meaning of {@code operation}, which is not of this kind again. */
    Semantics of(Operation operation);
  }

  /**
   * Cannot be run here.
   *
   * @param reason why, in words for a diagnostic
   */
  record Unsupported(String reason) implements Semantics {}
}
