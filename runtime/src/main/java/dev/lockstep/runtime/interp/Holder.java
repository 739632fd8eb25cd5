package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.CompilerBug;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.MemberOrder;
import dev.lockstep.hlo.grid.ProcessGroups;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.Semantics;
import java.util.IdentityHashMap;
import java.util.Map;

/** Who the members of a collective are, and what it gives them once all operands are there. */
final class Holder {
  private final DeviceGrid grid;
  private final Machine machine;
  private final Map<Operation, ProcessGroups> groups = new IdentityHashMap<>();

  Holder(DeviceGrid grid, Machine machine) {
    this.grid = grid;
    this.machine = machine;
  }

  /** Returns the members of {@code device}'s group in group order; none when it is in no group. */
  ImmutableIntArray members(int device, OpPlan plan) {
    ProcessGroups resolved = groups.get(plan.operation);
    if (resolved == null) {
      resolved = resolve(plan);
      groups.put(plan.operation, resolved);
    }
    int group = resolved.groupOf(device);
    return group < 0 ? ImmutableIntArray.of() : resolved.groups().get(group);
  }

  private static Semantics.Collective meaning(OpPlan plan) {
    return (Semantics.Collective) plan.semantics;
  }

  private ProcessGroups resolve(OpPlan plan) {
    MemberOrder order =
        plan.module().syntax() == Syntax.HLO
            ? MemberOrder.REPLICA_MAJOR
            : MemberOrder.PARTITION_MAJOR;
    try {
      return meaning(plan).groups(plan.operation, grid, order);
    } catch (IllegalArgumentException e) {
      throw DiagnosticException.error(
          "collective-groups",
          String.format(
              "the groups of %s mean nothing on %d replicas of %d partitions: %s",
              plan.name(), grid.replicas(), grid.partitions(), e.getMessage()),
          plan.operation.location());
    }
  }

  /** Returns what a device that is in no group gets. */
  ImmutableList<Datum> outside(int device, OpPlan plan, ImmutableList<Datum> operands) {
    try {
      return meaning(plan).outside(plan.operation, operands);
    } catch (IllegalArgumentException e) {
      throw DiagnosticException.error(
          "no-group",
          String.format(
              "device %d is in no group of this %s, which gives such a device nothing",
              device, plan.name()),
          plan.operation.location());
    }
  }

  /**
   * Returns the results of all members, in group order.
   *
   * @param device the member whose text and captured values give the meaning
   * @param operands those of all members, in group order
   */
  ImmutableList<ImmutableList<Datum>> hold(
      int device,
      OpPlan plan,
      ImmutableList<ImmutableList<Datum>> captured,
      ImmutableIntArray members,
      ImmutableList<ImmutableList<Datum>> operands) {
    Quantized quantized = plan.quantized;
    Operation operation = quantized == null ? plan.operation : quantized.plain();
    ImmutableList<ImmutableList<Datum>> all =
        quantized == null
            ? operands
            : operands.stream().map(quantized::operands).collect(ImmutableList.toImmutableList());
    Semantics.BodyRunner bodies = machine.bodies(device, plan, captured);
    ImmutableList<ImmutableList<Datum>> results;
    try {
      results =
          meaning(plan)
              .eval(
                  operation,
                  all,
                  ImmutableList.copyOf(members.asList()),
                  grid,
                  quantized == null ? bodies : quantized.bodies(bodies));
    } catch (IllegalArgumentException e) {
      throw Machine.failed(plan, e);
    }
    if (results.size() != operands.size()) {
      throw new CompilerBug(
          operation.def().name() + " gave results for " + results.size() + " members");
    }
    return quantized == null
        ? results
        : results.stream().map(quantized::results).collect(ImmutableList.toImmutableList());
  }
}
