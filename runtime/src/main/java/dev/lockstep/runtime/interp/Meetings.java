package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import java.util.Arrays;
import java.util.HashMap;
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
final class Meetings implements Assembly {

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

  private final boolean oneText;
  private final Holder holder;
  private final Map<Key, Line> lines = new HashMap<>();

  Meetings(boolean oneText, Holder holder) {
    this.oneText = oneText;
    this.holder = holder;
  }

  @Override
  public Pending arrive(
      int device,
      OpPlan plan,
      ImmutableList<ImmutableList<Datum>> captured,
      ImmutableList<Datum> operands) {
    Operation operation = plan.operation;
    ImmutableIntArray members = holder.members(device, plan);
    if (members.isEmpty()) {
      return new Pending.Ready(operation, holder.outside(device, plan, operands));
    }
    Line line = lines.computeIfAbsent(key(operation, members), k -> new Line());
    int number = line.arrived.merge(device, 1, Integer::sum) - 1;
    Meeting meeting = line.open.computeIfAbsent(number, n -> new Meeting(members));
    Meeting.Arrival arrival = new Meeting.Arrival(device, plan, members, captured, operands);
    if (!oneText) {
      Meeting.Arrival other = meeting.anyArrival();
      if (other != null && other.plan().operation != operation) {
        Agreement.check(other.side(), arrival.side(), number);
      }
    }
    int index = meeting.members().indexOf(device);
    meeting.arrive(index, arrival);
    if (meeting.isComplete()) {
      line.open.remove(number);
      meeting.close(hold(meeting));
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

  private ImmutableList<ImmutableList<Datum>> hold(Meeting meeting) {
    ImmutableList<Meeting.Arrival> arrivals = meeting.arrivals();
    Meeting.Arrival first = arrivals.get(0);
    return holder.hold(
        first.device(),
        first.plan(),
        first.captured(),
        meeting.members(),
        arrivals.stream().map(Meeting.Arrival::operands).collect(ImmutableList.toImmutableList()));
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
