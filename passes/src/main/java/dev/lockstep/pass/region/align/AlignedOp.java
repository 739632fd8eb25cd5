package dev.lockstep.pass.region.align;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.OpDef;
import java.util.stream.Stream;

/**
 * Operations of the programs that correspond: of one definition, with operands that correspond.
 * Their attributes, and the sizes of their types, may differ.
 *
 * <p>Where one rank has a padding or slice and another has none, the latter has one here that
 * changes nothing.
 */
public final class AlignedOp {
  private final ImmutableList<Operation> operations;
  private final ImmutableList<AlignedValue> operands;
  private final ImmutableList<AlignedValue> results;
  private final ImmutableList<AlignedBlock> regions;
  private final ImmutableList<AlignedFunction> callees;
  private final int position;

  AlignedOp(
      ImmutableList<Operation> operations,
      ImmutableList<AlignedValue> operands,
      ImmutableList<AlignedValue> results,
      ImmutableList<AlignedBlock> regions,
      ImmutableList<AlignedFunction> callees,
      int position) {
    this.operations = operations;
    this.operands = operands;
    this.results = results;
    this.regions = regions;
    this.callees = callees;
    this.position = position;
  }

  /** Returns the operation of each class. */
  public ImmutableList<Operation> operations() {
    return operations;
  }

  /** Returns the operation of the first rank's program. */
  public Operation base() {
    return operations.get(0);
  }

  /** Returns what the operations are. */
  public OpDef def() {
    return base().def();
  }

  /** Returns whether the operations are of {@code def}. */
  public boolean is(OpDef def) {
    return def() == def;
  }

  /** Returns the operands. */
  public ImmutableList<AlignedValue> operands() {
    return operands;
  }

  /** Returns operand {@code i}. */
  public AlignedValue operand(int i) {
    return operands.get(i);
  }

  /** Returns the results. */
  public ImmutableList<AlignedValue> results() {
    return results;
  }

  /** Returns the one result. */
  public AlignedValue result() {
    return results.get(0);
  }

  /** Returns the regions, each of one block or none. */
  public ImmutableList<AlignedBlock> regions() {
    return regions;
  }

  /** Returns the functions that attributes name, in order. */
  public ImmutableList<AlignedFunction> callees() {
    return callees;
  }

  /** Returns whether all operands and results have one shape on all ranks. */
  public boolean isUniform() {
    return Stream.concat(operands.stream(), results.stream()).allMatch(AlignedValue::isUniform);
  }

  /** Returns the place in the block of the first rank's program. */
  int position() {
    return position;
  }

  @Override
  public String toString() {
    return base().toString();
  }
}
