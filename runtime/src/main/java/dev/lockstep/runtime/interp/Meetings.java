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
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brings the members of groups together.
 *
 * <p>In one text, the n-th time that a member comes to an operation it meets the others' n-th time
 * at the same operation and group: what XLA's rendezvous key (run, group, op kind, channel or op)
 * amounts to. In a set of texts, the n-th collective of a set of devices meets the n-th of every
 * other member, and must be the same collective; see {@link Agreement}.
 */
final class Meetings {

  /** The meetings of one key, of which each member comes to one after the other. */
  private static final class Line {
    final Map<Integer, Integer> arrived = new HashMap<>();
    final Map<Integer, Meeting> open = new HashMap<>();
  }

  private record Key(@Nullable Identity operation, ImmutableIntArray group) {}

  /** Compares operations by identity within keys. */
  private record Identity(Operation operation) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Identity && ((Identity) other).operation == operation;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(operation);
    }
  }

  private final DeviceGrid grid;
  private final boolean oneText;
  private final Machine machine;
  private final Map<Operation, ProcessGroups> groups = new IdentityHashMap<>();
  private final Map<Key, Line> lines = new HashMap<>();

  Meetings(DeviceGrid grid, boolean oneText, Machine machine) {
    this.grid = grid;
    this.oneText = oneText;
    this.machine = machine;
  }

  /** Notes that {@code device} has come to the collective {@code plan}. */
  Pending arrive(
      int device,
      OpPlan plan,
      ImmutableList<ImmutableList<Datum>> captured,
      ImmutableList<Datum> operands) {
    Operation operation = plan.operation;
    Semantics.Collective meaning = (Semantics.Collective) plan.semantics;
    ProcessGroups resolved = groups.get(operation);
    if (resolved == null) {
      resolved = resolve(meaning, plan);
      groups.put(operation, resolved);
    }
    int group = resolved.groupOf(device);
    if (group < 0) {
      return new Pending.Ready(operation, outside(meaning, device, plan, operands));
    }
    ImmutableIntArray members = resolved.groups().get(group);
    Line line = lines.computeIfAbsent(key(operation, members), k -> new Line());
    int number = line.arrived.merge(device, 1, Integer::sum) - 1;
    Meeting meeting = line.open.computeIfAbsent(number, n -> new Meeting(members));
    Meeting.Arrival arrival = new Meeting.Arrival(device, plan, members, captured, operands);
    if (!oneText) {
      Meeting.Arrival other = meeting.anyArrival();
      if (other != null) {
        Agreement.check(other, arrival, number);
      }
    }
    int index = meeting.members().indexOf(device);
    meeting.arrive(index, arrival);
    if (meeting.isComplete()) {
      line.open.remove(number);
      meeting.close(hold(meaning, meeting));
    }
    return new Attendance(operation, meeting, index);
  }

  private Key key(Operation operation, ImmutableIntArray members) {
    if (oneText) {
      return new Key(new Identity(operation), members);
    }
    int[] sorted = members.toArray();
    Arrays.sort(sorted);
    return new Key(null, ImmutableIntArray.copyOf(sorted));
  }

  private ProcessGroups resolve(Semantics.Collective meaning, OpPlan plan) {
    MemberOrder order =
        plan.module().syntax() == Syntax.HLO
            ? MemberOrder.REPLICA_MAJOR
            : MemberOrder.PARTITION_MAJOR;
    try {
      return meaning.groups(plan.operation, grid, order);
    } catch (IllegalArgumentException e) {
      throw DiagnosticException.error(
          "groups",
          String.format(
              "the groups of %s mean nothing on %d replicas of %d partitions: %s",
              plan.name(), grid.replicas(), grid.partitions(), e.getMessage()),
          plan.operation.location());
    }
  }

  private static ImmutableList<Datum> outside(
      Semantics.Collective meaning, int device, OpPlan plan, ImmutableList<Datum> operands) {
    try {
      return meaning.outside(plan.operation, operands);
    } catch (IllegalArgumentException e) {
      throw DiagnosticException.error(
          "no-group",
          String.format(
              "device %d is in no group of this %s, which gives such a device nothing",
              device, plan.name()),
          plan.operation.location());
    }
  }

  private ImmutableList<ImmutableList<Datum>> hold(Semantics.Collective meaning, Meeting meeting) {
    ImmutableList<Meeting.Arrival> arrivals = meeting.arrivals();
    ImmutableList.Builder<ImmutableList<Datum>> operands = ImmutableList.builder();
    Meeting.Arrival first = arrivals.get(0);
    Quantized quantized = first.plan().quantized;
    for (Meeting.Arrival arrival : arrivals) {
      operands.add(quantized == null ? arrival.operands() : quantized.operands(arrival.operands()));
    }
    Operation operation = quantized == null ? first.plan().operation : quantized.plain();
    Semantics.BodyRunner bodies = machine.bodies(first.device(), first.plan(), first.captured());
    ImmutableList<ImmutableList<Datum>> results;
    try {
      results =
          meaning.eval(
              operation,
              operands.build(),
              ImmutableList.copyOf(meeting.members().asList()),
              grid,
              quantized == null ? bodies : quantized.bodies(bodies));
    } catch (IllegalArgumentException e) {
      throw Machine.failed(first.plan(), e);
    }
    if (results.size() != arrivals.size()) {
      throw new CompilerBug(
          operation.def().name() + " gave results for " + results.size() + " members");
    }
    return quantized == null
        ? results
        : results.stream().map(quantized::results).collect(ImmutableList.toImmutableList());
  }

  /** One member at one meeting. */
  private record Attendance(Operation operation, Meeting meeting, int index) implements Pending {
    @Override
    public boolean isReady() {
      return meeting.isClosed();
    }

    @Override
    public ImmutableList<Datum> results() {
      return meeting.resultsOf(index);
    }

    @Override
    public String awaited() {
      return Wording.devices(missing()) + " of the group " + meeting.members();
    }

    @Override
    public ImmutableList<Integer> missing() {
      return meeting.absent();
    }
  }
}
